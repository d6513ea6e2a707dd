// Syntactic dependencies: which reads of a thread a value was computed from.
//
// A read is named by its number in its thread's history (ThreadState::actions), so a set means the same in every interleaving. Only machines
// made with Options::dependencies keep them.
//
// A set is a small number: 0 is empty, an odd number is a single read, an even one a union of two others, kept as such. So uniting costs a
// table look-up whatever the size, also for control dependencies, which mostly grow along a thread; the elements are listed when a
// model asks. Equal sets may have different numbers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle {

using DepSet = std::uint32_t;

class DepPool {
  public:
    [[nodiscard]] static DepSet single(std::uint32_t read) { return (read << 1) | 1; }
    DepSet unite(DepSet a, DepSet b) { return a == b || b == 0 ? a : a == 0 ? b : unite_different(a, b); }
    /// In increasing order, each once.
    [[nodiscard]] std::vector<std::uint32_t> elements(DepSet set) const;

  private:
    struct Union {
        DepSet first;
        DepSet second;
    };
    DepSet unite_different(DepSet a, DepSet b);
    [[nodiscard]] bool is_part(DepSet part, DepSet whole) const {
        return (whole & 1) == 0 && (unions_[whole / 2].first == part || unions_[whole / 2].second == part);
    }

    std::vector<Union> unions_{{0, 0}}; ///< [0] is the empty set
    // Of the present question: which unions have been seen. Marks of earlier questions are smaller.
    mutable std::vector<std::uint32_t> marks_;
    mutable std::uint32_t mark_ = 0;
    std::unordered_map<std::uint64_t, DepSet> index_; ///< both parts -> their union
};

} // namespace heddle

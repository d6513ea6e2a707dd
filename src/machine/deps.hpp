// Syntactic dependencies: which reads of a thread a value was computed from.
//
// A read is named by its number in its thread's history (ThreadState::actions), so a set means the same in every interleaving. Sets are
// hash-consed: a DepSet is a small number, union is a table look-up. Only machines made with Options::dependencies keep them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// An interned set of reads; 0 is the empty set.
using DepSet = std::uint32_t;

class DepPool {
  public:
    DepSet single(std::uint32_t read);
    DepSet unite(DepSet a, DepSet b);
    /// In increasing order.
    [[nodiscard]] std::span<const std::uint32_t> elements(DepSet set) const { return sets_[set]; }

  private:
    DepSet intern(std::vector<std::uint32_t> set);

    std::vector<std::vector<std::uint32_t>> sets_{{}};
    std::map<std::vector<std::uint32_t>, DepSet> index_{{{}, 0}};
    std::unordered_map<std::uint64_t, DepSet> unions_; ///< (smaller set, larger set) -> union
};

} // namespace heddle

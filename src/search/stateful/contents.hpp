// The bytes of an object as a part of a state: 2 * size + (are some bits undefined), the bytes, the undefined bits if there are any.
#pragma once

#include "machine/block.hpp"
#include "search/stateful/interner.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace heddle::stateful {

class Contents {
  public:
    explicit Contents(Interner& interner) : interner_(interner) {}

    Interner::Id intern(const Block& block);
    [[nodiscard]] Value load(Interner::Id id, std::uint64_t offset, unsigned size) const;
    /// The number of the same bytes with `v` at `offset`.
    Interner::Id store(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v);
    [[nodiscard]] Interner::Id nothing() { return interner_.intern(std::span<const std::uint64_t>()); } ///< of what has ended

    /// The aligned words of the object, as they would be read.
    [[nodiscard]] std::span<const std::uint64_t> words(Interner::Id id) const {
        const auto all = interner_.wide(id);
        return all.empty() ? all : all.subspan(1, (all[0] >> 1) / 8);
    }
    /// The number of the same bytes with `change` applied to each aligned word.
    template <class F> Interner::Id changed(Interner::Id id, F&& change) {
        const auto all = interner_.wide(id);
        scratch_.assign(all.begin(), all.end());
        for (std::size_t k = 0; !all.empty() && k < (all[0] >> 1) / 8; ++k) {
            scratch_[1 + k] = change(scratch_[1 + k]);
        }
        return interner_.intern(scratch_);
    }

  private:
    [[nodiscard]] static std::size_t words_for(std::uint64_t size) { return (size + 7) / 8; }
    Interner& interner_;
    std::vector<std::uint64_t> scratch_;
};

} // namespace heddle::stateful

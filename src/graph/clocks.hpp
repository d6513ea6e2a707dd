// Clocks: for each event a row of numbers, one a chain: how many of the chain's events come before it in some order.
//
// A set of events that is closed downwards along each chain (for program order: a prefix of each thread) is one number a chain, whatever
// the length of the execution. The transitive closure of an order in which chains are ordered is such a set for every event, so its rows
// cost as many words as there are chains: a handful, where a row of bits would grow with the execution. Union is the larger number,
// membership one comparison.
#pragma once

#include "graph/event_id.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace heddle {

using Clock = std::span<std::uint32_t>;
using ConstClock = std::span<const std::uint32_t>;

/// Four numbers in a register. Rows are whole numbers of blocks (Clocks::kBlock), so loops over them have no rest. Written out because the
/// compiler, which cannot know that rows do not overlap, would compare one number after the other.
using ClockBlock = std::uint32_t __attribute__((vector_size(16)));
inline ClockBlock load_block(const std::uint32_t* from) {
    ClockBlock block; // NOLINT: filled in
    std::memcpy(&block, from, sizeof block);
    return block;
}
inline void store_block(std::uint32_t* to, ClockBlock block) { std::memcpy(to, &block, sizeof block); }

/// `into` becomes the smallest clock that contains both. All are rows of a Clocks, or as wide.
inline void merge(Clock into, ConstClock one, ConstClock other) {
#pragma clang loop unroll(disable)
    for (std::size_t k = 0; k < into.size(); k += 4) { // once or twice, mostly
        store_block(into.data() + k, __builtin_elementwise_max(load_block(one.data() + k), load_block(other.data() + k)));
    }
}
/// The smallest clock that contains both, in `into`.
inline void join(Clock into, ConstClock other) { merge(into, into, other); }
/// `into` becomes `other`, which is as wide.
inline void copy(Clock into, ConstClock other) {
#pragma clang loop unroll(disable)
    for (std::size_t k = 0; k < into.size(); k += 4) {
        store_block(into.data() + k, load_block(other.data() + k));
    }
}
/// The union, of rows that are sets of bits.
inline void unite(Clock into, ConstClock other) {
    for (std::size_t k = 0; k < into.size(); ++k) {
        into[k] |= other[k];
    }
}

class Clocks {
  public:
    /// Rows are as wide as a number of registers of the processor: loops over them have no rest.
    static constexpr std::size_t kBlock = 4;

    [[nodiscard]] std::size_t chains() const { return chains_; }
    [[nodiscard]] Clock row(EventId e) { return {cells_.data() + e.index * chains_, chains_}; }
    [[nodiscard]] ConstClock row(EventId e) const { return {cells_.data() + e.index * chains_, chains_}; }
    void clear(EventId e) { std::ranges::fill(row(e), 0); }

    /// Is there no room for events below `events` and for `chains` chains?
    [[nodiscard]] bool lacks(std::size_t events, std::size_t chains) const { return chains > chains_ || events > events_; }
    /// Makes that room. Rows keep their numbers; those of new chains are zero.
    void reserve(std::size_t events, std::size_t chains) {
        if (lacks(events, chains)) {
            grow(events, chains);
        }
    }

  private:
    void grow(std::size_t events, std::size_t chains) {
        if (chains > chains_) {
            widen((std::max(chains, chains_ * 2) + kBlock - 1) / kBlock * kBlock);
        }
        if (events > events_) {
            events_ = std::max(events, events_ * 2);
        }
        cells_.resize(events_ * chains_);
    }
    void widen(std::size_t chains) {
        const std::size_t rows = chains_ == 0 ? 0 : cells_.size() / chains_;
        std::vector<std::uint32_t> cells(rows * chains);
        for (std::size_t r = 0; r < rows; ++r) {
            std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(r * chains_), chains_,
                        cells.begin() + static_cast<std::ptrdiff_t>(r * chains));
        }
        cells_ = std::move(cells);
        chains_ = chains;
    }

    std::size_t chains_ = 0; ///< of a row
    std::size_t events_ = 0;
    std::vector<std::uint32_t> cells_;
};

} // namespace heddle

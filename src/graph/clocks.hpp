// Clocks: for each event a row of numbers, one a chain: how many of the chain's events come before it in some order.
//
// A set of events that is closed downwards along each chain (for program order: a prefix of each thread) is one number a chain, whatever
// the length of the execution. The transitive closure of an order in which chains are ordered is such a set for every event, so its rows
// cost as many words as there are chains: a handful, where a row of bits would grow with the execution. Union is the larger number,
// membership one comparison.
#pragma once

#include "graph/event_id.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

using Clock = std::span<std::uint32_t>;
using ConstClock = std::span<const std::uint32_t>;

/// So many numbers are in a register.
inline constexpr std::size_t kClockBlock = 4;
/// Four numbers in a register. Rows are whole numbers of blocks, so loops over them have no rest. Written out because the
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
/// Does the other clock, which is as wide, contain all that this one does?
inline bool is_within(ConstClock some, ConstClock all) {
    using Lanes = std::int32_t __attribute__((vector_size(16))); // no chain has two thousand million events
#pragma clang loop unroll(disable)
    for (std::size_t k = 0; k < some.size(); k += kClockBlock) {
        if (__builtin_reduce_or(Lanes(load_block(some.data() + k)) > Lanes(load_block(all.data() + k))) != 0) {
            return false;
        }
    }
    return true;
}
/// The union, of rows that are sets of bits.
inline void unite(Clock into, ConstClock other) {
    for (std::size_t k = 0; k < into.size(); ++k) {
        into[k] |= other[k];
    }
}

/// Visits, from the first on, the chains of which `all` has more than `some`. Mostly they are few, and four are passed over at once.
template <class F> void for_each_beyond(ConstClock all, ConstClock some, F&& visit) {
    using Lanes = std::int32_t __attribute__((vector_size(16))); // no chain has two thousand million events
    const std::size_t both = std::min(all.size(), some.size());
    std::size_t k = 0;
    for (; k + kClockBlock <= both; k += kClockBlock) {
        const Lanes more = Lanes(load_block(all.data() + k)) > Lanes(load_block(some.data() + k));
        if (__builtin_reduce_or(more) == 0) {
            continue;
        }
        for (std::size_t lane = k; lane < k + kClockBlock; ++lane) {
            if (all[lane] > some[lane]) {
                visit(static_cast<std::uint32_t>(lane));
            }
        }
    }
    for (; k < all.size(); ++k) {
        if (all[k] > (k < both ? some[k] : 0)) {
            visit(static_cast<std::uint32_t>(k));
        }
    }
}

/// ClockStack: clocks of one width, each begun as a copy of the one below it.
class ClockStack {
  public:
    /// One clock, this.
    void start(ConstClock first) {
        width_ = first.size();
        top_ = 0;
        make_room();
        copy(top(), first);
    }
    void push() {
        top_ += width_;
        make_room();
        copy(top(), Clock(cells_).subspan(top_ - width_, width_));
    }
    void pop() { top_ -= width_; }
    [[nodiscard]] Clock top() { return Clock(cells_).subspan(top_, width_); }

  private:
    void make_room() {
        if (cells_.size() < top_ + width_) {
            cells_.resize(2 * (top_ + width_));
        }
    }

    std::vector<std::uint32_t> cells_;
    std::size_t width_ = 0;
    std::size_t top_ = 0; ///< where the topmost begins
};

class Clocks {
  public:
    [[nodiscard]] std::size_t chains() const { return chains_; }
    /// There is room for events below.
    [[nodiscard]] std::size_t events() const { return events_; }
    [[nodiscard]] Clock row(EventId e) { return {cells_.get() + e.index * chains_, chains_}; }
    [[nodiscard]] ConstClock row(EventId e) const { return {cells_.get() + e.index * chains_, chains_}; }
    void clear(EventId e) { std::ranges::fill(row(e), 0); }

    /// Is there no room for events below `events` and for `chains` chains?
    [[nodiscard]] bool lacks(std::size_t events, std::size_t chains) const { return chains > chains_ || events > events_; }
    /// Makes that room. Rows keep their numbers; those of new chains are zero.
    void reserve(std::size_t events, std::size_t chains) {
        if (lacks(events, chains)) {
            grow(events, chains);
        }
    }

    /// The rows of events below `events` become what they are in `from`. Pre: there is room for them.
    void take_rows(const Clocks& from, std::size_t events) {
        events = std::min(events, from.events_);
        if (from.chains_ == chains_) {
            std::copy_n(from.cells_.get(), events * chains_, cells_.get());
            return;
        }
        for (std::uint32_t e = 0; e < events; ++e) {
            const ConstClock known = from.row(EventId(e));
            std::fill(std::ranges::copy(known, row(EventId(e)).begin()).out, row(EventId(e)).end(), 0);
        }
    }

  private:
    void grow(std::size_t events, std::size_t chains) {
        const std::size_t width =
            chains > chains_ ? (std::max(chains, chains_ * 2) + kClockBlock - 1) / kClockBlock * kClockBlock : chains_;
        const std::size_t rows = events > events_ ? std::max({events, events_ * 4, kFirstRows}) : events_;
        // Zeros that the system gives need not be written, and pages that nobody has written are not there: room for many more rows costs nothing. With many
        // threads a row is long, and filling and copying them all would be most of what an event costs.
        Cells cells(static_cast<std::uint32_t*>(std::calloc(std::max<std::size_t>(rows * width, 1), sizeof(std::uint32_t))));
        HEDDLE_CHECK(cells, "out of memory");
        if (width == chains_) {
            std::copy_n(cells_.get(), events_ * chains_, cells.get());
        } else {
            for (std::size_t r = 0; r < events_; ++r) {
                std::copy_n(cells_.get() + r * chains_, chains_, cells.get() + r * width);
            }
        }
        cells_ = std::move(cells);
        chains_ = width;
        events_ = rows;
    }

    static constexpr std::size_t kFirstRows = 64;

    struct Free {
        void operator()(std::uint32_t* cells) const { std::free(cells); } // NOLINT: see grow
    };
    using Cells = std::unique_ptr<std::uint32_t[], Free>;

    std::size_t chains_ = 0; ///< of a row
    std::size_t events_ = 0;
    Cells cells_;
};

} // namespace heddle

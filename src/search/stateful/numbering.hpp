// Numbering: things that are numbered as they are found, and found by their hash. For one worker, or for a workforce of several: then they are looked up and added without locks.
//
// A worker adds something by making it (as the next of the numbers that it has taken for itself) and putting its number into a free slot of the table in one interlocked step. If another
// was quicker, that one's is compared, and the search goes on behind it if it is something else. Whoever reads a slot sees all of what its number stands for. Numbers are
// taken by the block, under a lock; that is also when the table is enlarged, by a worker that is alone (workforce.hpp). Locks around each shard of a table were here
// before; two workers took up to half of the processor time again with them, most likely because the line of memory with the lock went to and fro.
//
// One worker takes numbers one by one, and no interlocked step.
#pragma once

#include "search/stateful/slots.hpp"
#include "search/stateful/workforce.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace heddle::stateful {

class Numbering {
  public:
    /// `workforce`: of the workers that will use it; null: there is one.
    explicit Numbering(Workforce* workforce)
        : workforce_(workforce && workforce->size() > 1 ? workforce : nullptr),
          hands_(std::make_unique<Hand[]>(workforce_ ? workforce_->size() : 1)) {}

    using Found = SlotTable::Found;
    /// The number for which `things.is_it(number)` holds of those with this hash; if there is none, `things.make(number)` makes it. (It may have been made in vain if `fresh` is false then:
    /// another was quicker.) Of `things` is also asked `hash_of(number)`, and `reserve(number)`, before it is made: one at a time, but others may be reading what there is.
    template <class Things> [[gnu::always_inline]] Found find_or_make(std::uint64_t hash, Things&& things) {
        Hand& hand = mine();
        if (workforce_) {
            workforce_->let_others();
        }
        if (hand.next.load(std::memory_order_relaxed) == hand.end) {
            take_numbers(hand, things);
        }
        const std::uint32_t number = hand.next.load(std::memory_order_relaxed);
        const Found found = table_.find_or_put(hash, number, workforce_ != nullptr, things);
        if (found.fresh) {
            hand.next.store(number + 1, std::memory_order_relaxed);
        }
        return found;
    }
    /// Something with this hash will be looked up. (The table may be another one by then: no harm.)
    void prepare(std::uint64_t hash) const {
        if (workforce_) {
            workforce_->let_others();
        }
        table_.prepare(hash);
    }
    /// The same; nothing if there is none.
    template <class F> [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, F&& is_it) const {
        if (workforce_) {
            workforce_->let_others();
        }
        return table_.find(hash, is_it);
    }
    /// Which worker asks, for what each has of its own.
    [[nodiscard]] std::size_t worker() const { return workforce_ ? Workforce::me() : 0; }
    [[nodiscard]] std::size_t workers() const { return workforce_ ? workforce_->size() : 1; }
    /// How many were made. Not exact while others add.
    [[nodiscard]] std::uint64_t size() const {
        const std::scoped_lock held(mutex_);
        std::uint64_t n = taken_;
        for (const Hand& h : all_hands()) {
            n -= h.end - h.next.load(std::memory_order_relaxed);
        }
        return n;
    }
    /// Of the table.
    [[nodiscard]] std::size_t bytes() const {
        const std::scoped_lock held(mutex_);
        return table_.bytes();
    }

  private:
    /// A worker's numbers: from `next` on those that it has not used yet.
    struct alignas(64) Hand {
        std::atomic<std::uint32_t> next = 0; ///< written by the worker only
        std::uint32_t end = 0;               ///< written under the mutex
    };
    static constexpr std::uint32_t kBlock = 64;      ///< as many as a StableArray has on its first page
    static constexpr std::uint32_t kMost = 1u << 31; ///< see SlotTable

    [[nodiscard]] Hand& mine() { return hands_[worker()]; }
    [[nodiscard]] std::span<const Hand> all_hands() const { return {hands_.get(), workers()}; }
    template <class Things> void take_numbers(Hand& hand, Things& things) {
        if (!workforce_) {
            if (!table_.has_room_for(taken_)) {
                grow(1, things);
            }
            take(hand, 1, things);
            return;
        }
        for (;;) {
            {
                const std::scoped_lock held(mutex_);
                if (table_.has_room_for(taken_ + kBlock - 1)) {
                    return take(hand, kBlock, things);
                }
            }
            workforce_->alone([&] {
                const std::scoped_lock held(mutex_);
                grow(kBlock, things);
            });
        }
    }
    template <class Things> void take(Hand& hand, std::uint32_t count, Things& things) {
        HEDDLE_CHECK(taken_ <= kMost - 2 * count, "more states or parts of states than can be numbered");
        things.reserve(taken_); // all of a block are on the same page
        hand.next.store(taken_, std::memory_order_relaxed);
        taken_ += count;
        hand.end = taken_;
    }
    template <class Things> void grow(std::uint32_t count, Things& things) {
        while (!table_.has_room_for(taken_ + count - 1)) {
            table_.grow([&](auto&& put) {
                for (std::uint32_t k = 0; k < taken_; ++k) {
                    if (!is_unused(k)) {
                        put(k, things.hash_of(k));
                    }
                }
            });
        }
    }
    [[nodiscard]] bool is_unused(std::uint32_t number) const {
        return workforce_ && std::ranges::any_of(all_hands(), [&](const Hand& h) {
                   return number >= h.next.load(std::memory_order_relaxed) && number < h.end;
               });
    }

    Workforce* const workforce_;
    mutable std::mutex mutex_;      // of what follows, where there is a workforce
    SlotTable table_{};             ///< enlarged by who is alone
    std::uint32_t taken_ = 0;       ///< numbers
    std::unique_ptr<Hand[]> hands_; ///< by worker
};

} // namespace heddle::stateful

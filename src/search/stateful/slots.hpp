// SlotTable: finds by their hash things that are numbered from 0 on. Open addressing with linear probing, in slots of 32 bits; of 16 while there are few.
//
// A table of 2^k slots is at most 3/4 full, so a number needs k bits; the other 32 - k (or 16 - k) are bits of the hash, so that other things that were put nearby need
// not be looked at. (Of a hundred million things there are four bits left, which spares fifteen looks of sixteen.)
#pragma once

#include "search/stateful/zeroed_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace heddle::stateful {

class SlotTable {
  public:
    struct Found {
        std::uint32_t number;
        bool fresh;
    };
    /// The number for which `things.is_it(number)` holds of those with this hash; `number`, which `things` is told to make and which is put there, if there is none. `shared`: others may do the
    /// same meanwhile; it may have been made in vain then. Pre: has room for `number`.
    template <class Things>
    [[gnu::always_inline]] Found find_or_put(std::uint64_t hash, std::uint32_t number, bool shared, Things& things) {
        return narrow_.size() != 0 ? find_or_put_in(narrow_, hash, number, shared, things)
                                   : find_or_put_in(wide_, hash, number, shared, things);
    }
    /// The same; nothing if there is none.
    template <class F> [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, F&& is_it) const {
        return narrow_.size() != 0 ? find_in(narrow_, hash, is_it) : find_in(wide_, hash, is_it);
    }
    [[nodiscard]] bool has_room_for(std::uint32_t number) const { return (std::size_t{number} + 1) * 4 <= size() * 3; }
    /// Twice as large. `each(put)` calls `put(number, hash)` for all that there are.
    template <class F> void grow(F&& each) {
        constexpr std::size_t kFirst = 8, kMostNarrow = 1024; // a small check stays small
        const std::size_t size_then = std::max(kFirst, size() * 2);
        narrow_ = {}; // first: what is in it is known otherwise
        wide_ = {};
        mask_ = static_cast<std::uint32_t>(size_then - 1);
        if (size_then <= kMostNarrow) {
            narrow_ = Slots<std::uint16_t>(size_then);
            fill(narrow_, each);
        } else {
            wide_ = Slots<std::uint32_t>(size_then);
            fill(wide_, each);
        }
    }
    void prepare(std::uint64_t hash) const {
        if (wide_.size() != 0) { // a narrow one is near
            __builtin_prefetch(&wide_[hash & mask_]);
        }
    }
    [[nodiscard]] std::size_t bytes() const {
        return narrow_.size() * sizeof(std::uint16_t) + wide_.size() * sizeof(std::uint32_t);
    }

  private:
    template <class T> using Slots = ZeroedArray<std::atomic<T>>;

    [[nodiscard]] std::size_t size() const { return std::max(narrow_.size(), wide_.size()); }
    /// The part of a slot that is of the hash. Its lower bits say where in the table.
    template <class T> [[nodiscard]] T mark_of(std::uint64_t hash) const {
        return static_cast<T>(hash >> 32 & ~std::uint64_t{mask_});
    }

    template <class T, class Things> [[gnu::always_inline]] Found
    find_or_put_in(Slots<T>& slots, std::uint64_t hash, std::uint32_t number, bool shared, Things& things) {
        const T mark = mark_of<T>(hash);
        const T of_hash = static_cast<T>(~mask_);
        bool made = false;
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            T slot = slots[at].load(std::memory_order_acquire);
            if (slot == 0) {
                if (!made) {
                    things.make(number);
                    made = true;
                }
                const T full = static_cast<T>(mark | (number + 1));
                if (!shared) {
                    slots[at].store(full, std::memory_order_relaxed);
                    return {.number = number, .fresh = true};
                }
                if (slots[at].compare_exchange_strong(slot, full, std::memory_order_acq_rel, std::memory_order_acquire)) {
                    return {.number = number, .fresh = true};
                }
            }
            if ((slot & of_hash) == mark && things.is_it((slot & mask_) - 1)) {
                return {.number = (slot & mask_) - 1, .fresh = false};
            }
        }
    }
    template <class T, class F>
    [[nodiscard]] std::optional<std::uint32_t> find_in(const Slots<T>& slots, std::uint64_t hash, F&& is_it) const {
        const T mark = mark_of<T>(hash);
        const T of_hash = static_cast<T>(~mask_);
        for (std::size_t at = hash & mask_; slots.size() != 0; at = (at + 1) & mask_) {
            const T slot = slots[at].load(std::memory_order_acquire);
            if (slot == 0) {
                break;
            }
            if ((slot & of_hash) == mark && is_it((slot & mask_) - 1)) {
                return (slot & mask_) - 1;
            }
        }
        return std::nullopt;
    }
    template <class T, class F> void fill(Slots<T>& slots, F&& each) {
        // Where they go is all over the table: each waits a while in a ring until its slot is near.
        std::array<std::pair<std::uint32_t, std::uint64_t>, 16> coming;
        std::size_t count = 0;
        const auto put = [&](std::size_t k) {
            const auto [number, hash] = coming[k % coming.size()];
            std::size_t at = hash & mask_;
            while (slots[at].load(std::memory_order_relaxed) != 0) {
                at = (at + 1) & mask_;
            }
            slots[at].store(static_cast<T>(mark_of<T>(hash) | (number + 1)), std::memory_order_relaxed);
        };
        each([&](std::uint32_t number, std::uint64_t hash) {
            if (count >= coming.size()) {
                put(count);
            }
            __builtin_prefetch(&slots[hash & mask_], 1);
            coming[count++ % coming.size()] = {number, hash};
        });
        for (std::size_t k = count - std::min(count, coming.size()); k < count; ++k) {
            put(k);
        }
    }

    // One of the two has slots. 0: free.
    Slots<std::uint16_t> narrow_;
    Slots<std::uint32_t> wide_;
    std::uint32_t mask_ = 0;
};

} // namespace heddle::stateful

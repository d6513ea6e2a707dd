// SlotTable: finds by their hash things that are numbered from 0 on. Open addressing with linear probing, in slots of 32 bits.
//
// A table of 2^k slots is at most 3/4 full, so a number needs k bits; the other 32 - k are bits of the hash, so that other things that were put nearby need
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
        const std::uint32_t mark = mark_of(hash);
        bool made = false;
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            std::uint32_t slot = slots_[at].load(std::memory_order_acquire);
            if (slot == 0) {
                if (!made) {
                    things.make(number);
                    made = true;
                }
                const std::uint32_t full = mark | (number + 1);
                if (!shared) {
                    slots_[at].store(full, std::memory_order_relaxed);
                    return {.number = number, .fresh = true};
                }
                if (slots_[at].compare_exchange_strong(slot, full, std::memory_order_acq_rel, std::memory_order_acquire)) {
                    return {.number = number, .fresh = true};
                }
            }
            if ((slot & ~mask_) == mark && things.is_it((slot & mask_) - 1)) {
                return {.number = (slot & mask_) - 1, .fresh = false};
            }
        }
    }
    /// The same; nothing if there is none.
    template <class F> [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, F&& is_it) const {
        const std::uint32_t mark = mark_of(hash);
        for (std::size_t at = hash & mask_; slots_.size() != 0; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at].load(std::memory_order_acquire);
            if (slot == 0) {
                break;
            }
            if ((slot & ~mask_) == mark && is_it((slot & mask_) - 1)) {
                return (slot & mask_) - 1;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] bool has_room_for(std::uint32_t number) const { return (std::size_t{number} + 1) * 4 <= slots_.size() * 3; }
    /// Twice as large. `each(put)` calls `put(number, hash)` for all that there are.
    template <class F> void grow(F&& each) {
        constexpr std::size_t kFirst = 8; // a small check stays small
        const std::size_t size_then = std::max(kFirst, slots_.size() * 2);
        slots_ = {}; // first: what is in it is known otherwise
        slots_ = ZeroedArray<Slot>(size_then);
        mask_ = static_cast<std::uint32_t>(size_then - 1);
        // Where they go is all over the table: each waits a while in a ring until its slot is near.
        std::array<std::pair<std::uint32_t, std::uint64_t>, 16> coming;
        std::size_t count = 0;
        const auto put = [&](std::size_t k) {
            const auto [number, hash] = coming[k % coming.size()];
            std::size_t at = hash & mask_;
            while (slots_[at].load(std::memory_order_relaxed) != 0) {
                at = (at + 1) & mask_;
            }
            slots_[at].store(mark_of(hash) | (number + 1), std::memory_order_relaxed);
        };
        each([&](std::uint32_t number, std::uint64_t hash) {
            if (count >= coming.size()) {
                put(count);
            }
            __builtin_prefetch(&slots_[hash & mask_], 1);
            coming[count++ % coming.size()] = {number, hash};
        });
        for (std::size_t k = count - std::min(count, coming.size()); k < count; ++k) {
            put(k);
        }
    }
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

  private:
    using Slot = std::atomic<std::uint32_t>;
    /// The part of a slot that is of the hash. Its lower bits say where in the table.
    [[nodiscard]] std::uint32_t mark_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash >> 32) & ~mask_; }

    ZeroedArray<Slot> slots_; ///< 0: free
    std::uint32_t mask_ = 0;
};

} // namespace heddle::stateful

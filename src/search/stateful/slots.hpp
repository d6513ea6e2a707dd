// SlotTable: finds by their hash things that are numbered from 0 on. Open addressing with linear probing, in slots of 32 bits.
//
// A table of 2^k slots is at most 3/4 full, so a number needs k bits; the other 32 - k are bits of the hash, so that other things that were put nearby need
// not be looked at. (Of a hundred million things there are four bits left, which spares fifteen looks of sixteen.)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::stateful {

class SlotTable {
  public:
    /// The number for which `is_it(number)` holds of those with this hash; `fresh`, which is put there, if there is none. Pre: has room for `fresh`.
    template <class F> std::uint32_t find_or_put(std::uint64_t hash, std::uint32_t fresh, F&& is_it) {
        const std::uint32_t mark = mark_of(hash);
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) {
                slots_[at] = mark | (fresh + 1);
                return fresh;
            }
            if ((slot & ~mask_) == mark && is_it((slot & mask_) - 1)) {
                return (slot & mask_) - 1;
            }
        }
    }
    /// The same; nothing if there is none.
    template <class F> [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, F&& is_it) const {
        if (slots_.empty()) {
            return std::nullopt;
        }
        const std::uint32_t mark = mark_of(hash);
        for (std::size_t at = hash & mask_; slots_[at] != 0; at = (at + 1) & mask_) {
            if ((slots_[at] & ~mask_) == mark && is_it((slots_[at] & mask_) - 1)) {
                return (slots_[at] & mask_) - 1;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] bool has_room_for(std::uint32_t number) const { return (std::size_t{number} + 1) * 4 <= slots_.size() * 3; }
    /// Twice as large. `hash_of`: of the `count` that there are.
    template <class F> void grow(std::uint32_t count, F&& hash_of) {
        constexpr std::size_t kFirst = 8; // a small check stays small
        const std::size_t size = slots_.empty() ? kFirst : slots_.size() * 2;
        slots_.assign(size, 0);
        slots_.shrink_to_fit();
        mask_ = static_cast<std::uint32_t>(size - 1);
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint64_t hash = hash_of(k);
            std::size_t at = hash & mask_;
            while (slots_[at] != 0) {
                at = (at + 1) & mask_;
            }
            slots_[at] = mark_of(hash) | (k + 1);
        }
    }
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(std::uint32_t); }

  private:
    /// The part of a slot that is of the hash. Its lower bits say where in the table.
    [[nodiscard]] std::uint32_t mark_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash >> 32) & ~mask_; }

    std::vector<std::uint32_t> slots_; ///< 0: free
    std::uint32_t mask_ = 0;
};

} // namespace heddle::stateful

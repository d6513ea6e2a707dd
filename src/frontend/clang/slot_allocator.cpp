#include "frontend/clang/slot_allocator.hpp"

#include <algorithm>

namespace heddle::clang_frontend {

Slot SlotAllocator::permanent(unsigned count) {
    if (permanents_ + count > kFirstTemporary) {
        exhausted_ = true;
        return 0;
    }
    const auto first = static_cast<Slot>(permanents_);
    permanents_ += count;
    return first;
}

Slot SlotAllocator::temporary(unsigned count) {
    // First fit; a frame rarely has more than a few dozen temporaries.
    std::size_t first = 0;
    std::size_t run = 0;
    for (std::size_t i = 0; i < references_.size() && run < count; ++i) {
        if (references_[i] != 0) {
            run = 0;
            first = i + 1;
        } else {
            ++run;
        }
    }
    if (first + count > std::size_t{kFirstConstant} - kFirstTemporary) {
        exhausted_ = true;
        return kFirstTemporary;
    }
    if (first + count > references_.size()) {
        references_.resize(first + count, 0);
    }
    std::fill_n(references_.begin() + static_cast<std::ptrdiff_t>(first), count, 1u);
    return static_cast<Slot>(kFirstTemporary + first);
}

Slot SlotAllocator::constant(std::uint64_t value) {
    const auto [known, fresh] = singles_.try_emplace(value, Slot{0});
    if (fresh) {
        if (constants_.size() >= std::size_t{kEnd} - kFirstConstant) {
            exhausted_ = true;
            return kFirstConstant;
        }
        known->second = static_cast<Slot>(kFirstConstant + constants_.size());
        constants_.push_back(value);
    }
    return known->second;
}

Slot SlotAllocator::constant_pair(std::uint64_t low, std::uint64_t high) {
    const auto [known, fresh] = pairs_.try_emplace({low, high}, Slot{0});
    if (fresh) {
        if (constants_.size() + 2 > std::size_t{kEnd} - kFirstConstant) {
            exhausted_ = true;
            return kFirstConstant;
        }
        known->second = static_cast<Slot>(kFirstConstant + constants_.size());
        constants_.insert(constants_.end(), {low, high});
    }
    return known->second;
}

void SlotAllocator::retain(Slot slot) {
    if (is_temporary(slot) && !exhausted_) {
        ++references_[slot - kFirstTemporary];
    }
}

void SlotAllocator::release(Slot slot) {
    if (is_temporary(slot) && !exhausted_) {
        --references_[slot - kFirstTemporary];
    }
}

Slot SlotAllocator::packed(Slot slot) const {
    if (slot >= kFirstConstant) {
        return static_cast<Slot>(first_packed_constant() + (slot - kFirstConstant));
    }
    if (slot >= kFirstTemporary) {
        return static_cast<Slot>(permanents_ + (slot - kFirstTemporary));
    }
    return slot;
}

} // namespace heddle::clang_frontend

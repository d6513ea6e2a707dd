// StableArray: an array that grows and whose elements never move, so that they are read without a lock while one writer at a time adds more.
#pragma once

#include "search/stateful/zeroed_memory.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::stateful {

/// Of groups of `group` elements each; every page has twice as many groups as the one before. T: as of a ZeroedArray.
template <class T> class StableArray {
  public:
    explicit StableArray(std::size_t group = 1) : group_(group) {}
    ~StableArray() {
        for (std::size_t page = 0; page < pages_.size(); ++page) {
            if (T* const elements = pages_[page].load()) {
                release_zeroed(elements, bytes_of(page));
            }
        }
    }
    StableArray(const StableArray&) = delete;
    StableArray& operator=(const StableArray&) = delete;

    /// The first element of group k. Pre: reserved, and known to this thread by way of the lock.
    [[nodiscard]] T* operator[](std::uint32_t k) const {
        const std::uint32_t n = k + kFirst;
        const auto page = static_cast<std::size_t>(std::bit_width(n) - std::bit_width(kFirst));
        return pages_[page].load(std::memory_order_acquire) + (n - (kFirst << page)) * group_;
    }
    /// Makes room for group k. One at a time.
    void reserve(std::uint32_t k) {
        const auto page = static_cast<std::size_t>(std::bit_width(k + kFirst) - std::bit_width(kFirst));
        if (!pages_[page].load(std::memory_order_relaxed)) {
            pages_[page].store(static_cast<T*>(zeroed_memory(bytes_of(page))), std::memory_order_release);
        }
    }

  private:
    [[nodiscard]] std::size_t bytes_of(std::size_t page) const { return (std::size_t{kFirst} << page) * group_ * sizeof(T); }
    static constexpr std::uint32_t kFirst = 64;
    std::size_t group_;
    std::array<std::atomic<T*>, 27> pages_{};
};

} // namespace heddle::stateful

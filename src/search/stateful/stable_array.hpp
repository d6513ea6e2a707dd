// StableArray: an array that grows and whose elements never move, so that they are read without a lock while one writer at a time adds more.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::stateful {

/// Of groups of `group` elements each; every page has twice as many groups as the one before.
template <class T> class StableArray {
  public:
    explicit StableArray(std::size_t group = 1) : group_(group) {}
    ~StableArray() {
        for (auto& page : pages_) {
            delete[] page.load();
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
            pages_[page].store(new T[(std::size_t{kFirst} << page) * group_], std::memory_order_release);
        }
    }

  private:
    static constexpr std::uint32_t kFirst = 64;
    std::size_t group_;
    std::array<std::atomic<T*>, 27> pages_{};
};

} // namespace heddle::stateful

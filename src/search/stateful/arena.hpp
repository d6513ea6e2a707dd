// Arena: where one worker puts what is kept for good, one after the other. What lies there never moves.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::stateful {

template <class T> class alignas(64) Arena {
  public:
    /// Room for so many.
    T* take(std::size_t count) {
        if (count > left_) {
            // Small ones at first, so that a small check stays small.
            constexpr std::size_t kFirst = 512 / sizeof(T);
            constexpr std::size_t kMostDoubled = 10;
            left_ = std::max(count, kFirst << std::min(chunks_.size(), kMostDoubled));
            chunks_.push_back(std::make_unique<T[]>(left_));
            next_ = chunks_.back().get();
        }
        T* const room = next_;
        next_ += count;
        left_ -= count;
        note_used(count);
        return room;
    }
    /// What was taken last is not wanted.
    void give_back(std::size_t count) {
        next_ -= count;
        left_ += count;
        note_used(~count + 1);
    }
    /// Others may ask.
    [[nodiscard]] std::size_t bytes() const { return used_.load(std::memory_order_relaxed) * sizeof(T); }

  private:
    void note_used(std::size_t more) { used_.store(used_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed); }

    std::vector<std::unique_ptr<T[]>> chunks_{};
    std::size_t left_ = 0; ///< in the last chunk
    T* next_ = nullptr;
    std::atomic<std::size_t> used_ = 0; ///< written by the worker only
};

} // namespace heddle::stateful

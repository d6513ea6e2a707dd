// Workforce: the workers of a search, where they have to know of each other.
//
// Tables that all of them use are searched and added to without locks (numbering.hpp), which does not work while a table becomes larger. So whoever must enlarge one asks to be
// *alone*: the others stop at the next lookup that they begin, and go on when it is done. That happens a few dozen times in a search, and what it costs all the other
// millions of times is a look at a flag that nobody writes.
#pragma once

#include "support/function_ref.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace heddle::stateful {

class Workforce {
  public:
    explicit Workforce(std::size_t workers) : size_(workers) {}
    Workforce(const Workforce&) = delete;
    Workforce& operator=(const Workforce&) = delete;

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Which worker this thread is. The first, if it has not said.
    [[nodiscard]] static std::size_t me() { return me_; }

    /// This thread works, as this worker, while it is there: others who want to be alone wait for it.
    class Shift {
      public:
        Shift(Workforce& workforce, std::size_t worker);
        ~Shift();
        Shift(const Shift&) = delete;
        Shift& operator=(const Shift&) = delete;

      private:
        Workforce& workforce_;
    };

    /// To be called now and then, by one who looks at no table that may be enlarged and holds no lock.
    void let_others() {
        if (wanted_.load(std::memory_order_relaxed)) {
            wait();
        }
    }
    /// Does `work` while no other worker works. Others may have been alone in between. Pre: as of let_others.
    void alone(FunctionRef<void()> work);

  private:
    void wait();
    void stand_by(std::unique_lock<std::mutex>& held); ///< until nobody wants to be alone

    static inline thread_local std::size_t me_ = 0;

    const std::size_t size_;
    std::atomic<bool> wanted_ = false; ///< somebody wants to be alone, or is. Written under the mutex
    std::mutex mutex_;                 // of all that follows
    std::condition_variable changed_;
    std::size_t working_ = 0; ///< have a Shift
    std::size_t waiting_ = 0; ///< of these, do nothing until the one who wants to be alone was
};

} // namespace heddle::stateful

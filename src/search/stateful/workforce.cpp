#include "search/stateful/workforce.hpp"

namespace heddle::stateful {

Workforce::Shift::Shift(Workforce& workforce, std::size_t worker) : workforce_(workforce) {
    std::unique_lock held(workforce.mutex_);
    workforce.changed_.wait(held, [&] { return !workforce.wanted_; });
    ++workforce.working_;
    me_ = worker;
}

Workforce::Shift::~Shift() {
    const std::scoped_lock held(workforce_.mutex_);
    --workforce_.working_;
    me_ = 0;
    workforce_.changed_.notify_all();
}

void Workforce::stand_by(std::unique_lock<std::mutex>& held) {
    ++waiting_;
    changed_.notify_all();
    changed_.wait(held, [&] { return !wanted_; });
    --waiting_;
}

void Workforce::wait() {
    std::unique_lock held(mutex_);
    if (wanted_) {
        stand_by(held);
    }
}

void Workforce::alone(FunctionRef<void()> work) {
    std::unique_lock held(mutex_);
    while (wanted_) {
        stand_by(held);
    }
    wanted_ = true;
    // Before and after the work of all there is one thread, which has no Shift.
    changed_.wait(held, [&] { return waiting_ + 1 >= working_; });
    work();
    wanted_ = false;
    changed_.notify_all();
}

} // namespace heddle::stateful

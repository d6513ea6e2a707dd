#include "search/stateful/crew.hpp"

namespace heddle::stateful {

Crew::Shift::Shift(Crew& crew, std::size_t worker) : crew_(crew) {
    std::unique_lock held(crew.mutex_);
    crew.changed_.wait(held, [&] { return !crew.wanted_; });
    ++crew.working_;
    me_ = worker;
}

Crew::Shift::~Shift() {
    const std::scoped_lock held(crew_.mutex_);
    --crew_.working_;
    me_ = 0;
    crew_.changed_.notify_all();
}

void Crew::stand_by(std::unique_lock<std::mutex>& held) {
    ++waiting_;
    changed_.notify_all();
    changed_.wait(held, [&] { return !wanted_; });
    --waiting_;
}

void Crew::wait() {
    std::unique_lock held(mutex_);
    if (wanted_) {
        stand_by(held);
    }
}

void Crew::alone(FunctionRef<void()> work) {
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

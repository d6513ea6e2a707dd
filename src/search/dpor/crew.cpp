#include "search/dpor/crew.hpp"

#include <algorithm>

namespace heddle {

void Crew::begin_once() {
    if (!begun_) {
        begun_ = true;
        begin_();
    }
}

void Crew::give(Job job) {
    {
        const std::scoped_lock guard(mutex_);
        jobs_.push_back(std::move(job));
    }
    --hungry_;
    changed_.notify_one();
}

std::optional<Job> Crew::take(const std::function<void()>& tick) {
    if (!begun_) {
        return std::nullopt; // nobody else ever had anything
    }
    std::unique_lock guard(mutex_);
    ++idle_;
    ++hungry_;
    while (jobs_.empty() && idle_ < told_.size() && !is_stopped()) {
        changed_.wait_for(guard, std::chrono::milliseconds(100));
        guard.unlock();
        tick();
        guard.lock();
    }
    if (jobs_.empty() || is_stopped()) {
        changed_.notify_all(); // all are idle: the others are done too
        return std::nullopt;
    }
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    --idle_;
    return job;
}

void Crew::stop() {
    stopped_ = true;
    changed_.notify_all();
}

void Crew::tell(unsigned worker, const Progress& p) {
    const std::scoped_lock guard(mutex_);
    told_[worker] = p;
}

Progress Crew::total() {
    const std::scoped_lock guard(mutex_);
    Progress sum;
    for (const Progress& p : told_) {
        sum.complete += p.complete;
        sum.blocked += p.blocked;
        sum.violations += p.violations;
        sum.longest = std::max(sum.longest, p.longest);
    }
    return sum;
}

} // namespace heddle

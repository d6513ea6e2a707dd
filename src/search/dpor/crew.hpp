// Crew: the workers of one search, and the parts of it that they give each other.
//
// A part of the search is a path of choices and a range of options that are left at its end: a few numbers. Who takes it over makes the choices
// again, in an Explorer of its own; nothing else is shared. That is possible because the options of a frame depend on the graph and the
// threads' names alone, and it is cheap because parts are given away from near the root, where the paths are short and the work is large.
#pragma once

#include "search/check_result.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace heddle {

/// A part of a search: after these choices (each the number of an option of its frame), the options from `next` to before `end`.
struct Job {
    std::vector<std::uint32_t> choices;
    std::uint32_t next = 0;
    std::uint32_t end = 0;
};

class Crew {
  public:
    /// `begin` is called once, when the first worker finds that the search takes long enough to be shared; it starts the others.
    Crew(unsigned workers, std::function<void()> begin) : told_(workers), begin_(std::move(begin)) {}

    /// The first worker only.
    void begin_once();
    [[nodiscard]] bool has_begun() const { return begun_; }
    /// Is somebody without work? Asked often.
    [[nodiscard]] bool wants_work() const { return hungry_.load(std::memory_order_relaxed) > 0; }
    void give(Job job);
    /// The next part, after waiting for one if need be, `tick` being called ten times a second meanwhile. Nothing: all is done, or
    /// stopped.
    std::optional<Job> take(const std::function<void()>& tick);

    void stop();
    [[nodiscard]] bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }

    /// What a worker has done so far, and what all have.
    void tell(unsigned worker, const Progress& p);
    Progress total();

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    std::vector<Progress> told_;
    std::function<void()> begin_;
    bool begun_ = false; ///< the first worker's
    std::size_t idle_ = 0;
    std::atomic<int> hungry_ = 0; ///< workers without work, less the jobs that lie there
    std::atomic<bool> stopped_ = false;
};

} // namespace heddle

// What is wrong with a state: traps, misused joins, leaks at the end, and threads that are stuck for good.
#pragma once

#include "search/stateful/stepper.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace heddle::stateful {

/// How a state ends, if it does.
enum class Ending : std::uint8_t {
    None,
    Complete, ///< every thread has ended
    Blocked,  ///< those that have not are stuck for good
};

class Judge {
  public:
    /// `gives_up`: whether the search is over, by a budget say; asked now and then while a thread is followed far.
    Judge(Stepper& stepper, Findings& findings, const CheckOptions& options, std::function<bool()> gives_up)
        : stepper_(stepper), findings_(findings), options_(options), gives_up_(std::move(gives_up)) {}

    /// To be asked once for every state.
    Ending look_at(const World& w);
    /// To be asked for a state from which no step leads to a new one. In a set of states that threads who are stuck (waiting, or going round loops
    /// in which nothing changes) cannot leave, the state that was found last is such a one; so all such sets are noticed.
    Ending stuck(const World& w);

  private:
    enum class Alone : std::uint8_t {
        Moves,
        Waits,
        Spins,
        Unknown, ///< it did none of these so far
    };
    /// What the thread does if nobody else ever does anything, followed for at most so many actions. `here`, unless null: where it waits or reads
    /// in its loop.
    Alone alone(const World& w, std::uint32_t thread, Violation::Other* here, std::uint64_t most);
    /// Does each thread that runs wait or spin, for all that can be seen? Pre: one runs.
    bool all_stuck(const World& w);
    /// What is wrong with the action if it is a join; null: nothing.
    [[nodiscard]] const char* join_fault(const World& w, const Action& join);
    /// Does the thread, which runs, certainly do something that others can notice, or that makes another state? Soon asked.
    [[nodiscard]] bool surely_moves(const World& w, std::uint32_t thread);
    void check_leaks(const World& w);
    void tell(std::optional<Violation> v);

    Stepper& stepper_;
    Findings& findings_;
    const CheckOptions& options_;
    std::function<bool()> gives_up_;
    bool in_doubt_ = false; ///< a thread was not followed to where it is known what it does
};

} // namespace heddle::stateful

// What is wrong with a state: traps, misused joins, leaks at the end, and threads that are stuck for good.
#pragma once

#include "search/stateful/stepper.hpp"

#include <cstdint>
#include <optional>

namespace heddle::stateful {

/// How a state ends, if it does.
enum class Ending : std::uint8_t {
    None,
    Complete, ///< every thread has ended
    Blocked,  ///< those that have not are stuck for good
};

class Judge {
  public:
    Judge(Stepper& stepper, Findings& findings, const CheckOptions& options)
        : stepper_(stepper), findings_(findings), options_(options) {}

    /// To be asked once for every state.
    Ending look_at(const World& w);
    /// To be asked for a state from which no step leads to a new one. In a set of states that threads who are stuck (waiting, or going round loops
    /// in which nothing changes) cannot leave, the state that was found last is such a one; so all such sets are noticed.
    Ending stuck(const World& w);

  private:
    enum class Alone : std::uint8_t { Moves, Waits, Spins };
    /// Does the thread, which runs, certainly do something that others can notice, or that makes another state? Soon asked.
    [[nodiscard]] bool surely_moves(const World& w, std::uint32_t thread);
    /// What the thread does if nobody else ever does anything. `here`, unless null: where it waits or reads in its loop.
    Alone alone(const World& w, std::uint32_t thread, Violation::Other* here);
    void check_leaks(const World& w);
    void tell(std::optional<Violation> v);

    Stepper& stepper_;
    Findings& findings_;
    const CheckOptions& options_;
};

} // namespace heddle::stateful

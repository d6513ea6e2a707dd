// Threads that never go on, and joins that go wrong: what every search says of them, in the same words.
#pragma once

#include "machine/machine.hpp"
#include "search/check_result.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

/// Was the thread stopped by a failed assumption, a bound or a trap? Then nobody knows what it would still have done, and that others wait is no error.
bool is_cut(const Action& a);

/// A thread that never goes on: it waits at `action` having found `word` there.
Violation::Other stuck_waiting(const Machine& machine, ThreadId t, const ThreadState& state, const Action& action,
                               const Value& word, const Objects& objects);
/// Or it goes round a loop. `reads`: of what others might write, but do not.
Violation::Other stuck_spinning(const Machine& machine, ThreadId t, const ThreadState& state, bool reads);

/// The violation of an execution in which these are all that have not ended. First whoever spins for ever, then whoever waits for a lock or a
/// value: those who join wait for them. Nothing if there are none. Without a witness.
struct StuckThread {
    Violation::Other what;
    ActionKind waits_at;
};
std::optional<Violation> violation_of(std::vector<StuckThread> stuck);

/// What is wrong with a join of such a thread; null: nothing.
const char* join_fault(bool exists, bool joined);

/// That the thread's loop was cut, if it was.
std::optional<Assumption> loop_bound(const Action& block, std::uint64_t unroll);

} // namespace heddle

// How executions end and what is said about it: what every search of programs needs and no graph.
#pragma once

#include "machine/machine.hpp"
#include "search/check_result.hpp"
#include "search/dpor/cells.hpp"
#include "search/dpor/spin.hpp"
#include "search/dpor/steps.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace heddle {

/// Does the loop fail again when every read in it reads what `latest` says? Nothing: an access that cannot be looked at as a whole.
bool fails_for_good(Machine& machine, const Objects& objects, const LoopRecord& loop,
                    const std::function<std::optional<Value>(const Action& a)>& latest);

/// A thread that never goes on.
struct Stuck {
    ThreadId thread;
    const Step* step;
    Value word; ///< what a Lock finds
};
/// What is wrong with an execution in which these are all that have not ended: deadlock, or liveness. Nothing when a thread was stopped by a failed
/// assumption, a bound or a trap: nobody knows what it would still have done. Without a witness.
std::optional<Violation> violation_of(const Machine& machine, std::span<const Stuck> stuck);
/// That the thread's loop was cut, if it was.
std::optional<Assumption> loop_bound(const Action& block, std::uint64_t unroll);

/// How many numbers a Choose or Nondet is explored with.
struct Numbers {
    std::uint64_t count = 0;
    bool too_many = false;                  ///< more than could be tried
    std::optional<Assumption> assumption{}; ///< what is taken for granted
};
Numbers numbers_of(const Action& a);

/// Said of a thread that stands at a Loop action: it has gone round too often to believe that it ends.
std::string endless_loop(ThreadId t, const Action& loop);
Assumption weak_compare_exchange(const Action& a);
/// The result when atomic accesses meet accesses of other sizes.
CheckResult unsupported(const TornAtomic& torn);

} // namespace heddle

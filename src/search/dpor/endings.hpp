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

/// What a read reads of a thread that stands at it. Nothing: an access that cannot be looked at as a whole.
using LatestValue = std::function<std::optional<Value>(const ThreadState& at, const Action& a)>;
/// Does the loop fail again when every read in it reads what `latest` says?
bool fails_for_good(Machine& machine, const Objects& objects, const LoopRecord& loop, const LatestValue& latest);

/// A thread that never goes on.
struct Stuck {
    ThreadId thread;
    const Step* step;
    Value word; ///< what a Lock finds
};
/// What is wrong with an execution in which these are all that have not ended: deadlock, or liveness. Nothing when a thread was cut (conclude/stuck.hpp).
std::optional<Violation> violation_of(const Machine& machine, const Objects& objects, std::span<const Stuck> stuck);

/// Said of a thread that stands at a Loop action: it has gone round too often to believe that it ends.
std::string endless_loop(ThreadId t, const Action& loop);

/// Notices executions that become longer and longer. A program with finitely many executions may have long ones, but a search finds them without going through all shorter lengths.
/// Where a loop can be gone round once more because of what others do, and so on for ever, it does go through them, and would until memory is gone.
/// That is experience, no proof: what is said of such a program is that the search gave up, never that it is wrong or right.
class ExecutionLengths {
  public:
    /// An execution of so many events has been found. Do they grow without end, to all appearances?
    bool grow(std::size_t events, const Steps::Busiest& loop);
    [[nodiscard]] std::size_t longest() const { return longest_; }

  private:
    std::size_t longest_ = 0;
    unsigned growths_ = 0; ///< how often one was longer than all before it
};
/// Said of them.
std::string growing_executions(std::size_t events, const Steps::Busiest& loop);

/// What a test may watch of executions: a text for each, and whether it is blocked.
using Observer = std::function<void(const std::string& text, bool blocked)>;
/// Makes attempts until one learns nothing more (LessonLearnt), and concludes. Executions are shown once: those of the attempt that succeeds. An
/// observer that the attempt is given may be called by several workers at a time; it is empty if `observer` is.
CheckResult attempt_until_learnt(const Program& program, const Observer& observer,
                                 const std::function<CheckResult(const Observer&)>& attempt);

} // namespace heddle

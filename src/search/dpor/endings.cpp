#include "search/dpor/endings.hpp"

#include "search/conclude/conclude.hpp"
#include "search/conclude/stuck.hpp"

#include <fmt/format.h>
#include <mutex>
#include <utility>
#include <vector>

namespace heddle {

bool fails_for_good(Machine& machine, const Objects& objects, const LoopRecord& loop, const LatestValue& latest) {
    constexpr unsigned kForGood = 10'000; // steps without effect, every read reading the latest: it will not get out
    ThreadState ahead = loop.state;
    Ref<LoopRecord> others; // the loops that it has come to, inside this one or after it
    machine.resume(ahead, {});
    for (unsigned step = 0; step < kForGood; ++step) {
        const Action a = machine.run(ahead, objects);
        switch (a.kind) {
        case ActionKind::Loop:
            if (a.count > 1 && loop_head(ahead) == loop.head) {
                return same_iteration(loop.state, ahead);
            }
            for (const LoopRecord* r = others.raw(); r && a.count > 1; r = r->outer.raw()) {
                if (loop_head(ahead) == r->head && same_iteration(r->state, ahead)) {
                    return false; // it spins elsewhere
                }
            }
            others = arrived(others, ahead, a.count);
            machine.resume(ahead, {});
            break;
        case ActionKind::Fence:
        case ActionKind::Yield:
            machine.resume(ahead, {});
            break;
        case ActionKind::Load:
        case ActionKind::Rmw:
        case ActionKind::Lock: {
            const auto value = latest(ahead, a);
            if (!value) {
                return false;
            }
            const ReadEffect effect = effect_of_read(a, *value);
            // Where it would wait in the library (or spin elsewhere) it has come out of the loop, or waits inside it with what it has read then: either is
            // another execution's business.
            if (effect.waits || (effect.written && *effect.written != *value)) {
                return false;
            }
            machine.resume(ahead, effect.outcome);
            break;
        }
        default:
            return false;
        }
    }
    return true;
}

std::optional<Violation> violation_of(const Machine& machine, const Objects& objects, std::span<const Stuck> stuck) {
    std::vector<StuckThread> all;
    for (const Stuck& s : stuck) {
        const Action& a = s.step->action;
        if (is_cut(a)) {
            return std::nullopt;
        }
        const bool reads = a.kind == ActionKind::Load || a.kind == ActionKind::Rmw || (a.kind == ActionKind::Lock && a.try_only);
        all.push_back({reads && a.wait == Wait::None ? stuck_spinning(machine, s.thread, s.step->state, true)
                                                     : stuck_waiting(machine, s.thread, s.step->state, a, s.word, objects),
                       a.kind});
    }
    return violation_of(std::move(all));
}

std::string endless_loop(ThreadId t, const Action& loop) {
    return fmt::format(
        "thread {} has gone {} times round this loop in one execution, and may do so for ever; --unroll N cuts loops", t.index,
        loop.count - 1);
}

bool ExecutionLengths::grow(std::size_t events, const Steps::Busiest& loop) {
    constexpr unsigned kGrowing = 500;     // so often
    constexpr std::uint64_t kRounds = 100; // with a loop that was gone round so often
    if (events <= longest_) {
        return false;
    }
    longest_ = events;
    return ++growths_ > kGrowing && loop.count > kRounds;
}

std::string growing_executions(std::size_t events, const Steps::Busiest& loop) {
    return fmt::format(
        "executions become longer and longer: one has {} events and goes {} times round this loop, which others may make go on "
        "for ever; --unroll N cuts loops",
        events, loop.count - 1);
}

namespace {

/// The result when atomic accesses meet accesses of other sizes.
CheckResult unsupported(const TornAtomic& torn) {
    CheckResult result;
    result.verdict = Verdict::Unsupported;
    result.reason = "atomic accesses to memory that is also accessed in pieces of other sizes";
    result.place = torn.place;
    return result;
}

} // namespace

CheckResult attempt_until_learnt(const Program& program, const Observer& observer,
                                 const std::function<CheckResult(const Observer&)>& attempt) {
    for (;;) {
        std::vector<std::pair<std::string, bool>> seen;
        std::mutex mutex; // workers see at the same time
        Observer record;
        if (observer) {
            record = [&](const std::string& text, bool blocked) {
                const std::scoped_lock guard(mutex);
                seen.emplace_back(text, blocked);
            };
        }
        try {
            CheckResult result = attempt(record);
            conclude(result, program);
            for (const auto& [text, blocked] : seen) {
                observer(text, blocked);
            }
            return result;
        } catch (const LessonLearnt&) {
        } catch (const TornAtomic& torn) {
            return unsupported(torn);
        }
    }
}

} // namespace heddle

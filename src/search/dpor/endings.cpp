#include "search/dpor/endings.hpp"

#include "search/conclude/conclude.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <utility>
#include <vector>

namespace heddle {

bool fails_for_good(Machine& machine, const Objects& objects, const LoopRecord& loop,
                    const std::function<std::optional<Value>(const Action& a)>& latest) {
    constexpr unsigned kForGood = 10'000; // steps without effect, every read reading the latest: it will not get out
    ThreadState ahead = loop.state;
    machine.resume(ahead, {});
    for (unsigned step = 0; step < kForGood; ++step) {
        const Action a = machine.run(ahead, objects);
        switch (a.kind) {
        case ActionKind::Loop:
            if (a.count > 1 && loop_head(ahead) == loop.head) {
                return same_iteration(loop.state, ahead);
            }
            machine.resume(ahead, {});
            break;
        case ActionKind::Fence:
        case ActionKind::Yield:
            machine.resume(ahead, {});
            break;
        case ActionKind::Load:
        case ActionKind::Rmw:
        case ActionKind::Lock: {
            const auto value = latest(a);
            if (!value) {
                return false;
            }
            const ReadEffect effect = effect_of_read(a, *value);
            if (effect.waits) {
                return true;
            }
            if (effect.written && *effect.written != *value) {
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

std::optional<Violation> violation_of(const Machine& machine, std::span<const Stuck> stuck) {
    struct Waits {
        Violation::Other what;
        int rank; ///< first whoever spins for ever, then whoever waits for a lock or a value: those who join wait for them
    };
    std::vector<Waits> all;
    for (const Stuck& s : stuck) {
        const Action& a = s.step->action;
        if (a.kind == ActionKind::Trap || (a.kind == ActionKind::Block && a.reason != BlockReason::Lock)) {
            return std::nullopt;
        }
        const bool reads = a.kind == ActionKind::Load || a.kind == ActionKind::Rmw || (a.kind == ActionKind::Lock && a.try_only);
        const bool spins_there = reads && a.wait == Wait::None;
        const std::string what =
            spins_there ? "goes round a loop for ever: nobody writes what would let it out" : what_it_waits_for(a, s.word);
        all.push_back({{machine.trap_here(s.step->state, spins_there ? TrapKind::Liveness : TrapKind::Deadlock,
                                          fmt::format("thread {} {}", s.thread.index, what)),
                        s.thread},
                       spins_there                  ? 0
                       : a.kind == ActionKind::Join ? 2
                                                    : 1});
    }
    if (all.empty()) {
        return std::nullopt;
    }
    std::rotate(all.begin(), std::ranges::min_element(all, {}, &Waits::rank),
                std::next(std::ranges::min_element(all, {}, &Waits::rank)));
    Violation v{.trap = std::move(all.front().what.trap), .thread = all.front().what.thread};
    for (std::size_t k = 1; k < all.size(); ++k) {
        v.also.push_back(std::move(all[k].what));
    }
    return v;
}

std::optional<Assumption> loop_bound(const Action& a, std::uint64_t unroll) {
    if (a.kind != ActionKind::Block || a.reason != BlockReason::LoopBound) {
        return std::nullopt;
    }
    return Assumption{
        .kind = "loop-bound", .place = a.place, .detail = fmt::format("cut after {} iterations (--unroll)", unroll)};
}

std::string endless_loop(ThreadId t, const Action& loop) {
    return fmt::format(
        "thread {} has gone {} times round this loop in one execution, and may do so for ever; --unroll N cuts loops", t.index,
        loop.count - 1);
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

#include "search/stateful/judge.hpp"

#include "search/conclude/conclude.hpp"
#include "search/conclude/stuck.hpp"

#include <fmt/format.h>
#include <optional>
#include <unordered_set>
#include <utility>

namespace heddle::stateful {

namespace {

// Nearly all threads are found to move, wait or spin after a few actions. One that counts its attempts in vain may go on for ever, so the others are
// asked before it is followed far; and it is followed only so far, as the search over executions follows a loop (explorer_events.cpp).
constexpr std::uint64_t kNear = 100;
constexpr std::uint64_t kFar = 100'000;
constexpr std::uint64_t kUsual = 256; ///< after so many it is time to look at budgets

} // namespace

Ending Judge::look_at(const World& w) {
    bool all_ended = true;
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        const Standing& s = stepper_.standing(w, t);
        if (s.phase != ThreadPhase::Running) {
            continue;
        }
        all_ended = false;
        const Action& a = s.action;
        if (a.kind != ActionKind::Trap && a.kind != ActionKind::Join && a.kind != ActionKind::Block) {
            continue;
        }
        if (a.kind == ActionKind::Trap) {
            findings_.wrong(*a.trap, ThreadId(t), {});
        } else if (a.kind == ActionKind::Join) {
            if (const char* wrong = join_fault(w, a)) {
                findings_.wrong(stepper_.machine().trap_here(s.state, TrapKind::ThreadMisuse, wrong), ThreadId(t), {});
            }
        } else if (const auto bound = loop_bound(a, options_.unroll)) {
            findings_.assume(*bound);
        }
    }
    if (all_ended && options_.leaks) {
        check_leaks(w);
    }
    return all_ended && w.pending.empty() ? Ending::Complete : Ending::None;
}

const char* Judge::join_fault(const World& w, const Action& join) {
    if (join.kind != ActionKind::Join) {
        return nullptr;
    }
    const ThreadPhase other = join.value.lo < w.threads.size()
                                  ? stepper_.standing(w, static_cast<std::uint32_t>(join.value.lo)).phase
                                  : ThreadPhase::Absent;
    return heddle::join_fault(other != ThreadPhase::Absent, other == ThreadPhase::Joined);
}

void Judge::tell(std::optional<Violation> v) {
    if (v) {
        findings_.wrong(std::move(v->trap), v->thread, std::move(v->also));
    }
}

void Judge::check_leaks(const World& w) {
    std::vector<Violation::Other> lost;
    for (const Lost& l : stepper_.objects(w).lost) {
        Object o;
        o.size = l.size;
        o.allocated = l.allocated;
        lost.push_back({leak_of(o), l.thread});
    }
    tell(together(std::move(lost)));
}

Judge::Alone Judge::alone(const World& w, std::uint32_t t, Violation::Other* here, std::uint64_t most) {
    const ThreadId id(t);
    std::uint64_t done = 0;
    SharedMemory& memory = stepper_.memory();
    std::unordered_set<PartId> seen; // where it has been since it left
    const PartId start = w.threads[t];
    PartId at = start;
    const bool drained = memory.is_drained(w, t);
    do {
        if (done++ == most || (done % kUsual == 0 && gives_up_())) {
            return Alone::Unknown;
        }
        const Standing& s = stepper_.threads().at(at, w.objects);
        const Action& a = s.action;
        // A thread that gets stuck only further on moves still: the state in which it is will be asked about too.
        const bool gets_somewhere = at != start && (a.kind == ActionKind::Trap || a.kind == ActionKind::Block);
        if (s.phase != ThreadPhase::Running || gets_somewhere) {
            return Alone::Moves;
        }
        const auto waits = [&](const Value& found) {
            if (here) {
                *here = stuck_waiting(stepper_.machine(), id, s.state, a, found, stepper_.objects(w).objects);
            }
            return at == start ? Alone::Waits : Alone::Moves;
        };
        Value outcome{};
        switch (a.kind) {
        case ActionKind::Trap:
        case ActionKind::Block:
            return waits({});
        case ActionKind::Join: {
            const bool ended = a.value.lo < w.threads.size() &&
                               stepper_.standing(w, static_cast<std::uint32_t>(a.value.lo)).phase == ThreadPhase::Done;
            return ended ? Alone::Moves : waits({});
        }
        case ActionKind::Load:
        case ActionKind::Rmw:
        case ActionKind::Lock: {
            const bool update = a.kind != ActionKind::Load;
            if (w.pending.has_of_others(t, a.address, a.size) || (update && !drained)) {
                return Alone::Moves; // stores that reach memory: that is another state's business
            }
            const Value v = memory.uncontended(w, t, a.address, a.size);
            const ReadEffect effect = effect_of_read(a, v);
            if (effect.waits) {
                return waits(v);
            }
            if (effect.written && *effect.written != v) {
                return Alone::Moves;
            }
            if (here && here->trap.stack.empty()) {
                *here = stuck_spinning(stepper_.machine(), id, s.state, true);
            }
            outcome = effect.outcome;
            break;
        }
        case ActionKind::Fence:
        case ActionKind::AtomicBegin:
        case ActionKind::AtomicEnd:
            if (!drained) {
                return Alone::Moves;
            }
            break;
        case ActionKind::Pause:
            break;
        default:
            return Alone::Moves;
        }
        at = stepper_.threads().after(at, w.objects, w.objects, outcome);
        if (at != start && !seen.insert(at).second) {
            return Alone::Moves; // into its loop
        }
    } while (at != start);
    if (here && here->trap.stack.empty()) { // a loop that does nothing at all
        *here = stuck_spinning(stepper_.machine(), id, stepper_.threads().at(start, w.objects).state, false);
    }
    return Alone::Spins;
}

bool Judge::all_stuck(const World& w) {
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) { // mostly that is enough
        if (stepper_.standing(w, t).phase == ThreadPhase::Running && surely_moves(w, t)) {
            return false;
        }
    }
    std::vector<std::uint32_t> unknown;
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        if (stepper_.standing(w, t).phase == ThreadPhase::Running) {
            const Alone what = alone(w, t, nullptr, kNear);
            if (what == Alone::Moves) {
                return false;
            }
            if (what == Alone::Unknown) {
                unknown.push_back(t);
            }
        }
    }
    for (const std::uint32_t t : unknown) {
        const Alone what = in_doubt_ ? Alone::Unknown : alone(w, t, nullptr, kFar);
        if (what == Alone::Unknown && !in_doubt_ && !gives_up_()) {
            in_doubt_ = true; // nothing is safe any more, so it is not worth the time to follow another one so far
            findings_.doubt(Verdict::OutOfBudget,
                            fmt::format("thread {} goes round a loop for too long in which only its own variables change", t),
                            stepper_.standing(w, t).action.place);
        }
        if (what == Alone::Unknown || what == Alone::Moves) {
            return false;
        }
    }
    return true;
}

/// Of `alone`, what its first action says.
bool Judge::surely_moves(const World& w, std::uint32_t t) {
    const Action& a = stepper_.standing(w, t).action;
    switch (a.kind) {
    case ActionKind::Load:
        return w.pending.has_of_others(t, a.address, a.size);
    case ActionKind::Trap:
    case ActionKind::Block:
    case ActionKind::Join:
    case ActionKind::Rmw:
    case ActionKind::Lock:
    case ActionKind::Fence:
    case ActionKind::AtomicBegin:
    case ActionKind::AtomicEnd:
    case ActionKind::Pause:
        return false; // or it is not known
    default:
        return true;
    }
}

Ending Judge::stuck(const World& w) {
    if (stepper_.is_over(w)) {
        return Ending::Blocked;
    }
    bool any = false;
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        any = any || stepper_.standing(w, t).phase == ThreadPhase::Running;
    }
    if (!any || !all_stuck(w)) {
        return Ending::None;
    }
    std::vector<StuckThread> all;
    bool explained = !options_.stuck;
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        const Standing& s = stepper_.standing(w, t);
        explained = explained || s.phase == ThreadPhase::Exited; // nobody knows what the others would still have done
        if (s.phase != ThreadPhase::Running) {
            continue;
        }
        if (is_cut(s.action) || join_fault(w, s.action)) { // what is wrong with a join was said when it was found
            explained = true;
            continue;
        }
        Violation::Other here{}; // its stack is empty until it is known
        alone(w, t, &here, kFar);
        all.push_back({std::move(here), s.action.kind});
    }
    if (!explained) {
        tell(violation_of(std::move(all)));
    }
    return Ending::Blocked;
}

} // namespace heddle::stateful

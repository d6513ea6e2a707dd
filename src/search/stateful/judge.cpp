#include "search/stateful/judge.hpp"

#include "search/conclude/conclude.hpp"
#include "search/conclude/stuck.hpp"

#include <optional>
#include <unordered_set>
#include <utility>

namespace heddle::stateful {

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
            const ThreadPhase other = a.value.lo < w.threads.size()
                                          ? stepper_.standing(w, static_cast<std::uint32_t>(a.value.lo)).phase
                                          : ThreadPhase::Absent;
            if (const char* wrong = join_fault(other != ThreadPhase::Absent, other == ThreadPhase::Joined)) {
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

Judge::Alone Judge::alone(const World& w, std::uint32_t t, Violation::Other* here) {
    const ThreadId id(t);
    SharedMemory& memory = stepper_.memory();
    std::unordered_set<PartId> seen; // where it has been since it left
    const PartId start = w.threads[t];
    PartId at = start;
    const bool drained = memory.is_drained(w, t);
    do {
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
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) { // mostly that is enough
        if (stepper_.standing(w, t).phase == ThreadPhase::Running && surely_moves(w, t)) {
            return Ending::None;
        }
    }
    bool any = false;
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        if (stepper_.standing(w, t).phase == ThreadPhase::Running) {
            any = true;
            if (alone(w, t, nullptr) == Alone::Moves) {
                return Ending::None;
            }
        }
    }
    if (!any) {
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
        if (is_cut(s.action)) {
            explained = true;
            continue;
        }
        Violation::Other here{}; // its stack is empty until it is known
        alone(w, t, &here);
        all.push_back({std::move(here), s.action.kind});
    }
    if (!explained) {
        tell(violation_of(std::move(all)));
    }
    return Ending::Blocked;
}

} // namespace heddle::stateful

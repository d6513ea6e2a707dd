#include "search/stateful/judge.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

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
        if (a.kind == ActionKind::Trap) {
            findings_.wrong(*a.trap, ThreadId(t), {});
        } else if (a.kind == ActionKind::Join) {
            const bool exists = a.value.lo < w.threads.size() &&
                                stepper_.standing(w, static_cast<std::uint32_t>(a.value.lo)).phase != ThreadPhase::Absent;
            const bool joined =
                exists && stepper_.standing(w, static_cast<std::uint32_t>(a.value.lo)).phase == ThreadPhase::Joined;
            if (!exists || joined) {
                findings_.wrong(stepper_.machine().trap_here(s.state, TrapKind::ThreadMisuse,
                                                             joined ? "join of a thread that was joined before"
                                                                    : "join of a thread that does not exist"),
                                ThreadId(t), {});
            }
        } else if (a.kind == ActionKind::Block && a.reason == BlockReason::LoopBound) {
            findings_.assume({.kind = "loop-bound",
                              .place = a.place,
                              .detail = fmt::format("cut after {} iterations (--unroll)", options_.unroll)});
        }
    }
    if (all_ended && options_.leaks) {
        check_leaks(w);
    }
    return all_ended && w.pending.empty() ? Ending::Complete : Ending::None;
}

void Judge::check_leaks(const World& w) {
    std::vector<Violation::Other> lost;
    for (const Lost& l : stepper_.objects(w).lost) {
        Object o;
        o.size = l.size;
        o.allocated = l.allocated;
        lost.push_back({leak_of(o), l.thread});
    }
    if (!lost.empty()) {
        Violation::Other first = std::move(lost.front());
        lost.erase(lost.begin());
        findings_.wrong(std::move(first.trap), first.thread, std::move(lost));
    }
}

Judge::Alone Judge::alone(const World& w, std::uint32_t t, Trap* here) {
    SharedMemory& memory = stepper_.memory();
    std::unordered_set<PartId> seen;
    PartId at = w.threads[t];
    const bool drained = memory.is_drained(w, t);
    while (seen.insert(at).second) {
        const Standing& s = stepper_.threads().at(at, w.objects);
        const Action& a = s.action;
        // A thread that gets stuck only further on moves still: the state in which it is will be asked about too.
        const bool gets_somewhere = at != w.threads[t] && (a.kind == ActionKind::Trap || a.kind == ActionKind::Block);
        if (s.phase != ThreadPhase::Running || gets_somewhere) {
            return Alone::Moves;
        }
        Value outcome{};
        switch (a.kind) {
        case ActionKind::Trap:
        case ActionKind::Block:
            *here = stepper_.machine().trap_here(s.state, TrapKind::Deadlock,
                                                 fmt::format("thread {} {}", t, what_it_waits_for(a, {})));
            return Alone::Waits;
        case ActionKind::Join: {
            const bool ended = a.value.lo < w.threads.size() &&
                               stepper_.standing(w, static_cast<std::uint32_t>(a.value.lo)).phase == ThreadPhase::Done;
            *here = stepper_.machine().trap_here(s.state, TrapKind::Deadlock,
                                                 fmt::format("thread {} {}", t, what_it_waits_for(a, {})));
            return ended || at != w.threads[t] ? Alone::Moves : Alone::Waits;
        }
        case ActionKind::Load:
        case ActionKind::Rmw:
        case ActionKind::Lock: {
            const bool update = a.kind != ActionKind::Load;
            if (SharedMemory::is_contended(w, t, a.address, a.size) || (update && !drained)) {
                return Alone::Moves; // stores that reach memory: that is another state's business
            }
            World copy = w;
            Value v;
            memory.read(copy, t, a.address, a.size, false, [&](World&, const Value& found) { v = found; });
            const ReadEffect effect = effect_of_read(a, v);
            if (effect.waits) {
                *here = stepper_.machine().trap_here(s.state, TrapKind::Deadlock,
                                                     fmt::format("thread {} {}", t, what_it_waits_for(a, v)));
                return at == w.threads[t] ? Alone::Waits : Alone::Moves;
            }
            if (effect.written && *effect.written != v) {
                return Alone::Moves;
            }
            if (here->stack.empty()) {
                *here = stepper_.machine().trap_here(
                    s.state, TrapKind::Liveness,
                    fmt::format("thread {} goes round a loop for ever: nobody writes what would let it out", t));
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
    }
    if (at != w.threads[t]) {
        return Alone::Moves; // into its loop
    }
    if (here->stack.empty()) { // a loop that does nothing at all
        const Standing& s = stepper_.threads().at(w.threads[t], w.objects);
        *here = stepper_.machine().trap_here(s.state, TrapKind::Liveness, fmt::format("thread {} goes round a loop for ever", t));
    }
    return Alone::Spins;
}

Ending Judge::stuck(const World& w) {
    struct Stuck {
        Violation::Other what;
        int rank; ///< who is named first
    };
    std::vector<Stuck> all;
    bool explained = stepper_.standing(w, 0).phase == ThreadPhase::Exited;
    bool any = false;
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        const Standing& s = stepper_.standing(w, t);
        if (s.phase != ThreadPhase::Running) {
            continue;
        }
        any = true;
        Trap here; // its stack is empty until it is known
        const Alone alone = this->alone(w, t, &here);
        if (alone == Alone::Moves) {
            return Ending::None;
        }
        const Action& a = s.action;
        if (a.kind == ActionKind::Trap || (a.kind == ActionKind::Block && a.reason != BlockReason::Lock)) {
            explained = true;
            continue;
        }
        // First whoever spins for ever, then whoever waits for a lock or a value: those who join wait for them.
        all.push_back({{std::move(here), ThreadId(t)}, alone == Alone::Spins ? 0 : a.kind == ActionKind::Join ? 2 : 1});
    }
    if (!any) {
        return Ending::None;
    }
    if (!explained && !all.empty()) {
        const auto worst = std::ranges::min_element(all, {}, &Stuck::rank);
        Violation::Other first = std::move(worst->what);
        all.erase(worst);
        std::vector<Violation::Other> also;
        for (Stuck& s : all) {
            also.push_back(std::move(s.what));
        }
        findings_.wrong(std::move(first.trap), first.thread, std::move(also));
    }
    return Ending::Blocked;
}

} // namespace heddle::stateful

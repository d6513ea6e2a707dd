// What a Stepper does when threads choose, are started, joined, end, and enter and leave atomic sections.
#include "search/conclude/conclude.hpp"
#include "search/stateful/stepper.hpp"

#include <fmt/format.h>

namespace heddle::stateful {

void Stepper::choose(const World& w, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    Numbers numbers = numbers_of(a);
    if (numbers.assumption) {
        findings_.assume(std::move(*numbers.assumption));
    }
    if (numbers.too_many) {
        findings_.stop(Verdict::OutOfBudget, fmt::format("a choice among {} numbers", a.count), a.place);
        return;
    }
    const std::size_t noted = log_.entries.size();
    for (std::uint64_t k = 0; k < numbers.count; ++k) {
        auto copy = pool_.copy(w);
        World& next = *copy;
        note(Happened::Kind::Other, t, a, {.lo = k}, {}, false);
        go_on(next, t, s, {.lo = k}, emit);
        log_.entries.resize(noted);
    }
}

void Stepper::spawn(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const auto id = session_.names.child(ThreadId(t), s.action.count);
    if (!id) {
        findings_.stop(Verdict::OutOfBudget, "more threads than Heddle can name", s.action.place);
        return;
    }
    note(Happened::Kind::Other, t, s.action, {}, {}, false, *id);
    if (next.threads.size() <= id->index) {
        next.threads.resize(id->index + 1, threads_.plain(ThreadPhase::Absent));
    }
    if (races_) {
        next.races.widen(next.threads.size());
        next.races.spawn(t, id->index);
    }
    next.threads[id->index] = threads_.arrive(machine_.start_thread(s.action, *id), next.objects);
    go_on(next, t, s, {.lo = id->index}, emit);
}

void Stepper::join(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const auto other = static_cast<std::uint32_t>(s.action.value.lo);
    if (!memory_.drain(next, t)) {
        return;
    }
    const Value result = standing(next, other).result;
    note(Happened::Kind::Other, t, s.action, {}, {}, false, ThreadId(other));
    if (races_) {
        next.races.join(t, other);
    }
    next.threads[other] = threads_.plain(ThreadPhase::Joined);
    go_on(next, t, s, result, emit);
}

void Stepper::end(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    note(Happened::Kind::Other, t, s.action, s.action.value, {}, false);
    next.threads[t] = s.action.kind == ActionKind::Exit ? threads_.plain(ThreadPhase::Exited) : threads_.done(s.action.value);
    threads_.stay();
    emit(next);
}

/// Nothing of others reaches memory while a section lasts. So what has reached it is decided when it begins, of all that the thread may ever look at or overwrite; after that it works on memory itself.
void Stepper::atomic(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    if (s.action.kind == ActionKind::AtomicBegin) {
        if (next.atomic != 0 && next.atomic != t + 1) {
            return; // somebody is stuck in one
        }
        const auto enter = [&](World& w) {
            if (races_ && w.depth == 0) {
                w.races.begin_section(t);
            }
            w.atomic = t + 1;
            ++w.depth;
            go_on(w, t, s, {}, emit);
        };
        const auto concerns = [&](const PendingStore& p) {
            return !independence_ || independence_->may_access(next, t, p.address, p.size);
        };
        return next.depth == 0 && memory_.decides_late() ? memory_.decide(next, t, concerns, enter) : enter(next);
    } else {
        if (next.atomic != t + 1) {
            findings_.wrong(machine_.trap_here(s.state, TrapKind::LockMisuse, "the end of an atomic section that was not begun"),
                            ThreadId(t), {});
            return;
        }
        if ((--next.depth & ~World::kTorn) == 0) {
            next.depth = next.atomic = 0;
        }
        if (races_ && next.depth == 0) {
            next.races.end_section(t);
        }
    }
    go_on(next, t, s, {}, emit);
}

} // namespace heddle::stateful

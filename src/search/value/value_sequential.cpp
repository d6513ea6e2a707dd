// ValueExplorer: programs that are explored under sc though they are asked about under rc11.
//
// If the only data races that executions under sc have are of two seq_cst accesses, then the executions under rc11 are those under sc (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017,
// Theorem 4; a race is a pair of accesses of one location that happens-before does not order, one of which stores). What is true under sc is found by running a machine with one memory, which takes less than what follows
// from happens-before and coherence, so the search begins as if the model were sc (unless the code says at once that there is no point in it). When a thread comes to do anything else than accesses, starting and joining threads, and choices (locks, fences, objects that come and
// go), when there may be another race, and when anything goes wrong, it starts again under rc11: so all that is told is told by the search under rc11, and what the search under sc says is only that nothing goes wrong
// and how many executions there are.
//
// Races. Some execution under sc has such a race if and only if in some run two accesses in conflict, of which one is not seq_cst, are next to each other. For take the first race of a run, a before b, and of
// what comes before b only that which happens before a or b. Each read among these has what it has read among these: if both are seq_cst, because that happens before it; else because there would be a race
// before. So that is a run, too, at the end of which both threads stand before a and b, and it goes on with these. That run is part of one that the search finds: so it is enough to ask of the history at
// each end whether it has a run in which two are next to each other. What must come before what mostly says that it has none: something must come between them (ForcedOrder::keeps_conflicts_apart). If it does not
// say so, that is no reason to believe in a race, but one to start again.
//
// Iterations that fail are in no history. They have to be harmless (value_failures.cpp): nothing that they may read is in conflict with anything, unless both are seq_cst.
#include "search/value/value_explorer.hpp"

#include "machine/action.hpp"
#include "program/program.hpp"

#include <algorithm>

namespace heddle {

bool ValueExplorer::may_be_sequential(const CheckOptions& options, const ModelEntry& model, const Lessons& lessons) {
    const Tuning& tuning = options.tuning;
    const bool is_rc11 = !model.buffer && !model.axioms().all_synchronize && model.axioms().orders_seq_cst &&
                         model.axioms().races_are_errors && !model.needs_dependencies();
    return is_rc11 && !lessons.is_weak && tuning.as_if_sc && tuning.run_the_machine && tuning.forced_order &&
           tuning.quick_failures && tuning.harmless_failures && tuning.quick_races;
}

bool ValueExplorer::is_weak(const Program& program) {
    const auto says_so = [](const Instr& i) {
        const bool is_access = i.op == Op::Load || i.op == Op::Store || i.op == Op::Rmw || i.op == Op::CmpXchg;
        const auto order = static_cast<Order>(i.d() & 0xff);
        return i.op == Op::Fence || (is_access && order != Order::NonAtomic && order != Order::SeqCst);
    };
    return std::ranges::any_of(program.functions,
                               [&](const Function& f) { return !f.runtime && std::ranges::any_of(f.code, says_so); });
}

bool ValueExplorer::counts_as_plain(const Action& access) const {
    return is_sequential_ ? !is_seq_cst(access) : access.order == Order::NonAtomic;
}

void ValueExplorer::look_for_weakness(ThreadId t, const Action& a) {
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::Rmw:
        if (t.index != 0 && a.order != Order::NonAtomic && !is_seq_cst(a)) {
            learn_weak(); // mostly others do something there at the same time; not what main does at its end for the library
        }
        return;
    case ActionKind::Spawn:
    case ActionKind::Join:
    case ActionKind::Choose:
    case ActionKind::Nondet:
    case ActionKind::Block:
    case ActionKind::Done:
        return;
    default:
        learn_weak();
    }
}

void ValueExplorer::look_for_weakness() {
    if (!loop_entries().empty() || (may_race() && !forced_->keeps_conflicts_apart())) {
        learn_weak();
    }
}

void ValueExplorer::learn_weak() {
    lessons_.is_weak = true;
    throw LessonLearnt{};
}

} // namespace heddle

// ValueExplorer: what threads do.
#include "search/value/value_explorer.hpp"

#include "model/store_buffer.hpp"
#include "search/conclude/conclude.hpp"
#include "search/conclude/stuck.hpp"
#include "search/dpor/endings.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {

bool ValueExplorer::finished(ThreadId t) {
    const ActionKind next = step_of(t).action.kind;
    return next == ActionKind::Done || next == ActionKind::Exit;
}

bool ValueExplorer::stands_at_read(ThreadId t) {
    const ActionKind next = step_of(t).action.kind;
    return next == ActionKind::Load || next == ActionKind::Rmw || next == ActionKind::Lock;
}

bool ValueExplorer::look_at(ThreadId t) {
    Step* const s = threads_[t.index].at.step;
    const auto tell = [&](Trap trap) {
        if (!threads_[t.index].told) {
            threads_[t.index].told = true;
            report(std::move(trap), t, whole());
        }
        return false;
    };
    if (is_sequential_) {
        look_for_weakness(t, s->action);
    }
    switch (s->action.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::Rmw:
    case ActionKind::Lock:
    case ActionKind::Unlock:
        if (Step* const other = steps_.arrive_without_object(*s)) {
            threads_[t.index].at.step = other;
            is_now_known_ = false;
            return look_at(t);
        }
        if (s->pieces == 0) {
            locate(*s);
        }
        if (stands_at_read(t)) {
            note_read(t, s->location); // it may stand there for ever
            if (s->may_wait && foresees_ && known_.is_waited_on(s->location, places_.location(s->location).address)) {
                surprised();
            }
            if (s->action.kind != ActionKind::Load) {
                note_store(t, s->location);
            }
            threads_[t.index].noted = kind_of(s->action.address) == AddressKind::Global; // other objects may vanish
        }
        return true;
    case ActionKind::Trap:
        return tell(*s->action.trap);
    case ActionKind::Join: {
        const char* const wrong = join_fault(s->action);
        return wrong ? tell(machine_.trap_here(s->state, TrapKind::ThreadMisuse, wrong)) : true;
    }
    case ActionKind::Loop:
        stop(Verdict::OutOfBudget, endless_loop(t, s->action), s->action.place);
        return false;
    default:
        return true;
    }
}

const char* ValueExplorer::join_fault(const Action& join) const {
    if (join.kind != ActionKind::Join) {
        return nullptr;
    }
    const std::uint64_t other = join.value.lo;
    const bool known = other < threads_.size() && threads_[other].exists;
    return heddle::join_fault(known, known && threads_[other].joined);
}

void ValueExplorer::push(ThreadId t, HistoryOp op, Edit::Kind kind, Address object) {
    Thread& thread = change(t, kind, object);
    thread.postponed = false;
    thread.asks = false;
    thread.told = false;
    thread.noted = false;
    if (op.reads()) {
        note_read(t, op.location);
    }
    if (op.stores()) {
        note_store(t, op.location);
        note_stored_value(t, op);
        stored_.push_back({op.location, op.written, history_.is_read_by_others(t, op.location, op.written)});
    }
    if (judges_races_ && op.is_access()) {
        note_found(op);
    }
    found_runs_.clear();
    run_.push(t, op, run_.is_known() ? run_.place_for(t, op) : std::nullopt);
    execution_.push(t, op, execution_.is_known() ? execution_.place_for(t, op) : std::nullopt);
    history_.push(t, op);
    certain_.pushed(t);
    if (forced_) {
        forced_->pushed(t);
    }
    if (machine_forced_) {
        machine_forced_->pushed(t);
    }
    ++result_.events;
    grown_ = true;
}

void ValueExplorer::go_past(ThreadId t, Edge& edge) {
    Step* const next = steps_.follow(step_of(t), edge);
    threads_[t.index].at = {.step = next};
    is_now_known_ = false;
}

bool ValueExplorer::do_at_once(ThreadId t) {
    if (threads_[t.index].noted || !look_at(t)) {
        return false;
    }
    Step& s = step_of(t);
    const Action& a = s.action;
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock:
    case ActionKind::Block:
        return false;
    case ActionKind::Store:
    case ActionKind::Unlock:
        write(t);
        return true;
    case ActionKind::Fence:
        pass_fence(t);
        return true;
    case ActionKind::Spawn:
        spawn(t);
        return true;
    case ActionKind::Join: {
        const ThreadId other(static_cast<std::uint32_t>(a.value.lo));
        if (step_of(other).action.kind != ActionKind::Done) { // who has ended the program is not joined
            return false;
        }
        push(t, {.kind = OpKind::Join, .other = other, .step = &s});
        change(other).joined = true;
        go_past(t, steps_.having(s, step_of(other).action.value));
        return true;
    }
    case ActionKind::Alloc:
        push(t, {.kind = OpKind::Local, .step = &s}, Edit::Kind::Alloc, a.address);
        steps_.allocated(a);
        ++allocs_;
        static_cast<void>(memory_.perform(a));
        break;
    case ActionKind::Free: {
        const auto is_there = [&](const Thread& other) {
            const ThreadId u(static_cast<std::uint32_t>(&other - threads_.data()));
            return other.exists && u != t && !finished(u);
        };
        if (std::ranges::any_of(threads_, is_there)) {
            learn_ending();
        }
        const auto at = static_cast<std::uint32_t>(history_.thread(t).size());
        push(t, {.kind = OpKind::Local, .step = &s}, Edit::Kind::Free, a.address);
        check_free(t, at);
        frees_[a.address].push_back({t, at});
        break;
    }
    case ActionKind::Pause:
        stop(Verdict::OutOfBudget, "a loop that does nothing others can see ran for too long", machine_.place(s.state));
        return false;
    default:
        stop(Verdict::Unsupported, "an atomic section (__VERIFIER_atomic)", a.place);
        return false;
    }
    go_past(t, steps_.having(s, {}));
    return true;
}

HistoryOp ValueExplorer::fence_op(Step& s) {
    // Where a store fence is nothing, because writes leave the buffer in order anyway, it does no harm.
    const bool stores = is_store_fence(Buffer::PerLocation, s.action.order, s.action.fence);
    const OpKind kind = is_full_fence(s.action.order) ? OpKind::FullFence : stores ? OpKind::StoreFence : OpKind::Local;
    return {.kind = kind, .step = &s};
}

void ValueExplorer::pass_fence(ThreadId t) {
    Step& s = step_of(t);
    push(t, fence_op(s));
    go_past(t, steps_.having(s, {}));
}

void ValueExplorer::write(ThreadId t) {
    Step& s = step_of(t);
    const Action& a = s.action;
    const std::uint32_t part = threads_[t.index].at.part;
    const LocationId l = location_of(s, part);
    const Location& bytes = places_.location(l);
    const Value v =
        part_of(a.kind == ActionKind::Unlock ? Value{} : a.value, static_cast<unsigned>(bytes.address - a.address), bytes.size);
    std::optional<Baseline> before = in_a_row_ ? std::nullopt : std::optional(here());
    push(t, {.kind = OpKind::Write,
             .release = is_release(a.order),
             .seq_cst = drains_after(a.order),
             .part = static_cast<std::uint8_t>(part),
             .location = l,
             .written = history_.id_of(v),
             .step = &s});
    check_access(t, static_cast<std::uint32_t>(history_.thread(t).size() - 1));
    if (part + 1 < s.pieces) {
        threads_[t.index].at.part = part + 1;
    } else {
        go_past(t, steps_.having(s, {}));
    }
    wrote(std::move(before), t);
}

void ValueExplorer::wrote(std::optional<Baseline> before, ThreadId by) {
    if (before) {
        baselines_.push_back(std::move(*before));
    }
    in_a_row_ = history_.thread(by).back().kind == OpKind::Write;
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (k != by.index && threads_[k].postponed && !threads_[k].asks) {
            Thread& thread = change(ThreadId(k));
            thread.asks = true;
            thread.baseline = static_cast<std::uint32_t>(baselines_.size() - 1);
        }
    }
}

void ValueExplorer::spawn(ThreadId t) {
    Step& s = step_of(t);
    const auto id = session_.names.child(t, s.action.count);
    if (!id) {
        stop(Verdict::OutOfBudget, "more threads than Heddle can name", s.action.place);
        return;
    }
    if (id->index >= threads_.size()) {
        threads_.resize(id->index + 1);
    }
    if (!frees_.empty()) {
        learn_ending(); // the new thread might read what has ended before
    }
    push(t, {.kind = OpKind::Spawn, .other = *id, .step = &s});
    go_past(t, steps_.having(s, {.lo = id->index}));
    change(*id) = {.at = {.step = steps_.spawned(s, *id)}, .exists = true};
}

void ValueExplorer::read(ThreadId t, ValueId v) {
    Step& s = step_of(t);
    const HistoryOp op = read_op(t, v);
    std::optional<Baseline> before = op.stores() ? std::optional(here()) : std::nullopt;
    push(t, op);
    check_access(t, static_cast<std::uint32_t>(history_.thread(t).size() - 1));
    if (s.pieces == 1) {
        if (op.stores() && s.action.weak) {
            assume(weak_compare_exchange(s.action));
        }
        go_past(t, steps_.reading(s, history_.value(v)));
    } else if (op.part + 1u < s.pieces) {
        threads_[t.index].at.part = op.part + 1u;
    } else {
        go_past(t, steps_.reading(s, whole_of(s, history_.thread(t).last(s.pieces))));
    }
    in_a_row_ = false;
    if (op.stores()) {
        wrote(std::move(before), t);
    }
}

void ValueExplorer::offer_numbers(const Action& a, std::vector<Option>& options) {
    Numbers numbers = numbers_of(a);
    if (numbers.assumption) {
        assume(std::move(*numbers.assumption));
    }
    if (numbers.too_many) {
        stop(Verdict::OutOfBudget, fmt::format("a choice among {} numbers", a.count), a.place);
    }
    for (std::uint64_t k = 0; k < numbers.count; ++k) {
        options.push_back({.kind = Option::Kind::Number, .number = k});
    }
}

void ValueExplorer::prune_steps() {
    const auto keep = [](Step* s) {
        if (s) {
            s->kept = true;
        }
    };
    for (const Thread& t : threads_) {
        keep(t.at.step);
    }
    for (const Edit& e : edits_) {
        keep(e.before.at.step);
    }
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        for (const HistoryOp& op : history_.thread(ThreadId(t))) {
            keep(op.step);
        }
    }
    steps_.prune();
    ahead_.clear();
}

} // namespace heddle

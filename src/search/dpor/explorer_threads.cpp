// Explorer: who goes on, and with what.
#include "search/dpor/explorer.hpp"

#include "search/conclude/stuck.hpp"
#include "search/dpor/endings.hpp"

#include <algorithm>

namespace heddle {

const char* Explorer::join_fault(const Action& join) const {
    const ThreadId other(static_cast<std::uint32_t>(join.value.lo));
    const bool known = join.value.lo < threads_.size() && exists(other);
    return heddle::join_fault(known, known && ended(other) && graph_[graph_.last(other)].first_reader != kNoEvent);
}

void Explorer::go_past(ThreadId t, EventId e) {
    Thread& thread = threads_[t.index];
    Step& s = *thread.at.step;
    const GraphEvent& event = graph_[e];
    const std::uint32_t next = event.index + 1;
    const Value& value = notes_[e.index].value;
    const auto follow = [&](Edge& edge) { stand(t, {.step = steps_.follow(s, edge), .index = next}); };
    if (event.is_access() && s.pieces > 1) {
        if (thread.at.part + 1 < s.pieces) {
            stand(t, {.step = &s, .index = next, .part = thread.at.part + 1u});
            return;
        }
        Value whole;
        for (std::uint32_t k = next - s.pieces; event.is_read() && k < next; ++k) {
            const EventId part = graph_.at(t, k);
            const Location& l = graph_.location(graph_[part].location);
            put_part(whole, static_cast<unsigned>(l.address - s.action.address), l.size, notes_[part.index].value);
        }
        follow(event.is_read() ? steps_.reading(s, whole) : steps_.having(s, {}));
        return;
    }
    switch (event.kind) {
    case EventKind::Read: {
        Edge& edge = steps_.reading(s, value);
        if (edge.writes) {
            stand(t, {.step = &s, .index = next, .part = 1});
        } else {
            follow(edge);
        }
        break;
    }
    case EventKind::Write:
        follow(event.update ? steps_.reading(s, notes_[event.update_read.index].value) : steps_.having(s, {}));
        break;
    case EventKind::Spawn:
        follow(steps_.having(s, {.lo = event.other.index}));
        break;
    case EventKind::Join:
        follow(steps_.having(s, notes_[event.source.index].value));
        break;
    case EventKind::Choose:
        follow(event.is_void() ? steps_.reading(s, notes_[graph_.at(t, event.index - 1).index].value) : steps_.having(s, value));
        break;
    default:
        follow(steps_.having(s, {}));
    }
}

void Explorer::go_past_kept(ThreadId t) {
    const Position& at = threads_[t.index].at;
    for (EventId next = graph_.at(t, at.index); next != kNoEvent; next = graph_.at(t, at.index)) {
        // It does not depend on what was cut away before it, so it is what the thread does here on this path too, unless the thread fails on the
        // way (a division by what it now reads).
        const Action& a = at.step->action;
        if (a.kind == ActionKind::Trap) {
            break;
        }
        const GraphEvent& event = graph_[next];
        if (event.is_access() && at.step->pieces == 0) {
            locate(*at.step);
        }
        HEDDLE_CHECK(event.is_access() ? location_for(*at.step, at.part) == event.location
                                       : event.kind == EventKind::Fence || event.kind == EventKind::Choose ||
                                             event.kind == EventKind::Alloc || event.kind == EventKind::Free,
                     "an event that stayed is not what its thread does");
        HEDDLE_CHECK(event.kind != EventKind::Write || a.kind != ActionKind::Store || at.step->pieces > 1 ||
                         a.value == notes_[next.index].value,
                     "an event that stayed has another value");
        passed_.push_back({next, notes_[next.index].before});
        notes_[next.index].before = at;
        if (event.needs) {
            HEDDLE_CHECK(*event.needs == *needs_of(t, event.kind == EventKind::Write || event.is_void()),
                         "an event that stayed depends on other reads");
        }
        go_past(t, next);
    }
}

const Needs* Explorer::resolved_needs(ThreadId t, bool write) {
    const Position& at = threads_[t.index].at;
    Step& s = *at.step;
    auto& known = write ? s.needs_of_write : s.needs;
    if (known) {
        return known.get();
    }
    known = std::make_unique<Needs>();
    const auto action_of = [&](std::uint32_t k) { return notes_[graph_.at(t, k).index].before.step->state.actions; };
    const auto resolve = [&](DepSet set, std::vector<std::uint32_t>& into) {
        std::uint32_t k = 0; // both ascend
        for (const std::uint32_t action : machine_.deps().elements(set)) {
            while (k < at.index && action_of(k) < action) {
                ++k;
            }
            for (; k < at.index && action_of(k) == action; ++k) { // of an access in pieces: all of them
                const GraphEvent& e = graph_[graph_.at(t, k)];
                if (e.kind == EventKind::Read || (e.kind == EventKind::Choose && !e.is_void())) {
                    into.push_back(k);
                }
            }
        }
    };
    const Action& a = s.action;
    // What decided the way to it and the earlier addresses mostly did so for the thread's event before it, too.
    const EventId previous = at.index > 0 ? graph_.at(t, at.index - 1) : kNoEvent;
    const Step* const before = previous == kNoEvent ? nullptr : notes_[previous.index].before.step;
    const auto resolve_again = [&](DepSet Dependencies::* set, std::vector<std::uint32_t> Needs::* into) {
        if (before && before->needs && before->needs != known && before->action.deps.*set == a.deps.*set) {
            (*known).*into = (*before->needs).*into;
        } else {
            resolve(a.deps.*set, (*known).*into);
        }
    };
    resolve(a.deps.address, known->address);
    resolve_again(&Dependencies::control, &Needs::control);
    resolve_again(&Dependencies::earlier_addresses, &Needs::earlier_addresses);
    const bool updates = a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock;
    if (!updates || write) {
        resolve(a.deps.data, known->data);
    }
    if (updates && write) {
        // What is written is computed from what was read, or written only because of it.
        const std::uint32_t read = at.index - at.part; // asked before the read is there or after
        const bool decides = a.kind == ActionKind::Lock || a.rmw == RmwOp::CompareExchange || a.wait != Wait::None;
        if (decides) {
            known->control.push_back(read);
        }
        if (a.kind == ActionKind::Rmw && a.rmw != RmwOp::CompareExchange && a.rmw != RmwOp::Xchg) {
            known->data.push_back(read);
        }
    }
    return known.get();
}

const Value& Explorer::find_initial_value(LocationId id) {
    if (id.index >= initial_.size()) {
        initial_.resize(graph_.locations());
    }
    Initial& initial = initial_[id.index];
    if (!initial.known) {
        const Location& l = graph_.location(id);
        initial = {.known = kind_of(l.address) == AddressKind::Global, .value = memory_.load(l.address, l.size)};
    }
    return initial.value;
}

bool Explorer::look_at(ThreadId t) {
    Thread& thread = threads_[t.index];
    Step* const s = thread.at.step;
    if (s->is_after_failure()) {
        tell_failure(t);
        switch (s->action.kind) { // what would stop the search is nobody's business any more
        case ActionKind::Trap:
        case ActionKind::Loop:
        case ActionKind::Pause:
        case ActionKind::AtomicBegin:
        case ActionKind::AtomicEnd:
            return false;
        default:
            break;
        }
    }
    switch (s->action.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::Rmw:
    case ActionKind::Lock:
    case ActionKind::Unlock:
        if (Step* const other = steps_.arrive_without_object(*s)) {
            thread.at.step = other;
            return look_at(t);
        }
        if (s->pieces == 0) {
            locate(*s);
        }
        s->looked_at = !s->is_after_failure() && !steps_.may_vanish(s->action.address);
        return true;
    case ActionKind::Trap:
        if (!thread.told) {
            thread.told = true;
            report(*s->action.trap, t);
        }
        return false;
    case ActionKind::Join:
        if (const char* wrong = join_fault(s->action)) {
            if (!thread.told) {
                thread.told = true;
                report(machine_.trap_here(s->state, TrapKind::ThreadMisuse, wrong), t);
            }
            return false;
        }
        return true;
    case ActionKind::Loop:
        stop(Verdict::OutOfBudget, endless_loop(t, s->action), s->action.place);
        return false;
    default:
        return true;
    }
}

void Explorer::tell_failure(ThreadId t) {
    Thread& thread = threads_[t.index];
    const Step& s = *thread.at.step;
    if (!thread.told && !s.failed && !s.failures.empty()) {
        thread.told = true;
        report(*s.failures.front(), t);
    }
}

/// It is asked at each step of the search. If there were none, and events have only been added since, there are none as long as nobody has written to the
/// location: what a read may read from, and which writes wake it, depends on its prefix, those of the writes and their order; and a write that an update has taken can be
/// had only by a revisit (find_sources), which is refused because of an event that was not added canonically. What comes later does not make it
/// so. For the same reasons what it could not read then it cannot read now if somebody has written: only what is new is looked at (find_sources). (Where
/// there are holes, or coherence is open, more can change.)
bool Explorer::finds_sources(ThreadId t) {
    Thread& thread = threads_[t.index];
    if (is_idle(thread)) {
        return false;
    }
    find_sources(t);
    if (sources_.empty()) {
        thread.idle = {.wait = thread.at.waiting,
                       .writes = static_cast<std::uint32_t>(graph_.location(graph_[thread.at.waiting].location).coherence.size()),
                       .when = graph_.losses(),
                       .stamp = static_cast<std::uint32_t>(graph_.size())};
    }
    return !sources_.empty();
}

bool Explorer::can_go_on(ThreadId t, bool at_the_end) {
    if (!step_of(t).looked_at && !look_at(t)) {
        return false;
    }
    const Position& at = threads_[t.index].at;
    const Action& a = at.step->action;
    switch (a.kind) {
    case ActionKind::Block:
        return false;
    case ActionKind::Join: {
        const ThreadId other(static_cast<std::uint32_t>(a.value.lo));
        return ended(other) && !has_exited(other);
    }
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock: {
        if (at.waiting == kNoEvent) {
            return true;
        }
        if (begins_iteration(*at.step)) {
            return finds_iterations(t, at_the_end);
        }
        if (!finds_sources(t)) { // it waits: only something new can change that
            return false;
        }
        const EventId because = graph_[at.waiting].source;
        if (because == kNoEvent || at_the_end) {
            return true;
        }
        return std::ranges::any_of(sources_, [&](EventId w) { return model_->contains(model_->prefix(w), because); });
    }
    default:
        return true;
    }
}

void Explorer::prune_steps() {
    const auto keep = [](const Position& at) {
        if (at.step) {
            at.step->kept = true;
        }
    };
    for (const Thread& t : threads_) {
        keep(t.at);
    }
    for (const Note& n : notes_) { // those of free slots too: they are few
        keep(n.before);
    }
    for (const Displaced& d : displaced_) {
        keep(d.at);
    }
    for (const Passed& p : passed_) {
        keep(p.before);
    }
    for (const Pending& p : pending_) {
        keep(p.before);
    }
    steps_.prune();
    if (failure_memo_) {
        failure_memo_->clear();
    }
}

std::optional<ThreadId> Explorer::next_thread() {
    if (unfinished_ == 0 && goes_on_reading() && can_go_on(last_turn_.thread, false)) {
        ++last_turn_.size;
        return last_turn_.thread;
    }
    const auto next = find_next_thread();
    last_turn_ = {.thread = next.value_or(ThreadId(0)), .losses = graph_.losses(), .size = graph_.size()};
    return next;
}

std::optional<ThreadId> Explorer::find_next_thread() {
    // An update that has read writes at once, so that one which cannot is noticed at once.
    const auto count = static_cast<std::uint32_t>(threads_.size());
    for (std::uint32_t k = 0; unfinished_ > 0 && k < count; ++k) {
        if (threads_[k].at.part > 0) {
            return ThreadId(k);
        }
    }
    // An update whose write was cut away writes before anybody else goes on (explorer_updates.cpp).
    for (std::uint32_t k = 0; model_->splits_updates() && k < threads_.size() && !stopped_; ++k) {
        const EventId update = exists(ThreadId(k)) ? unfinished_update(ThreadId(k)) : kNoEvent;
        if (update == kNoEvent) {
            continue;
        }
        if (can_go_on(ThreadId(k), true)) {
            return ThreadId(k);
        }
        assume_in_one_piece(update);
    }
    for (const bool at_the_end : {false, true}) {
        bool some_wait = false;
        for (std::uint32_t k = next_standing(0); k < count && !stopped_; k = next_standing(k + 1)) {
            const ThreadId t(k);
            if (threads_[k].at.waiting != kNoEvent && is_idle(threads_[k])) {
                some_wait = true;
                continue;
            }
            if (!exists(t) || finished(t)) {
                continue;
            }
            if (can_go_on(t, at_the_end)) {
                return t;
            }
            const Position& at = threads_[k].at;
            some_wait = some_wait || at.waiting != kNoEvent;
            if (at.step->action.kind == ActionKind::Join && !stopped_) {
                const ThreadId other(static_cast<std::uint32_t>(at.step->action.value.lo));
                if (at.step->action.value.lo < threads_.size() && exists(other) && finished(other) && !ended(other) &&
                    !has_exited(other)) {
                    return other; // somebody waits for its end
                }
            }
        }
        if (!some_wait) {
            break;
        }
    }
    return std::nullopt;
}

} // namespace heddle

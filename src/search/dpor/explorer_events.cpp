// Explorer: the choices for the next event, and adding it.
#include "search/dpor/explorer.hpp"

#include "support/check.hpp"

namespace heddle {

EventId Explorer::add(GraphEvent e, std::size_t position, PlaceId place, const Value& value) {
    const EventId id = graph_.add_at(e, position);
    if (id.index >= notes_.size()) {
        notes_.resize(graph_.slots() * 2);
    }
    notes_[id.index] = {.before = threads_[e.thread.index].at, .place = place, .value = value};
    model_->added(id);
    if (own_hb_) {
        own_hb_->added(id);
    }
    added_.push_back(id);
    ++result_.events;
    return id;
}

// --- reads ---------------------------------------------------------------------------------------------------------------------------------

GraphEvent Explorer::read_event(ThreadId t, const Action& a, EventId source) {
    const bool updates = a.kind != ActionKind::Load;
    const ReadEffect effect = effect_of_read(a, value_of(source));
    const bool writes = !effect.waits && effect.written;
    return {.kind = EventKind::Read,
            .order = order_of_read(a, writes),
            .update = updates,
            .thread = t,
            .location = location_for(a, threads_[t.index].at.step),
            .source = source};
}

void Explorer::track(LocationId l) {
    if (!model_->tracks_coherence(l)) {
        lessons_.waited_on.insert(graph_.location(l).address);
        throw LessonLearnt{};
    }
}

void Explorer::find_sources(ThreadId t, const Action& a) {
    sources_.clear();
    const Position& at = threads_[t.index].at;
    const LocationId l = location_for(a, at.step);
    if ((a.kind == ActionKind::Lock && !a.try_only) || a.wait != Wait::None) {
        track(l);
    }
    const auto& co = graph_.location(l).coherence;
    const std::uint32_t floor = model_->floor(read_event(t, a, co.back()));
    const GraphEvent* wait = at.waiting == kNoEvent ? nullptr : &graph_[at.waiting];
    for (std::uint32_t rank = floor; rank < co.size(); ++rank) {
        const EventId w = co[rank];
        // A thread that waits was offered what was there when it began to wait.
        if (wait && (graph_[w].stamp <= wait->stamp || !wakes(w, at.waiting))) {
            continue;
        }
        const Value v = value_of(w);
        if (!satisfies(at, a, v)) {
            track(l);
            continue;
        }
        // An update of a write that another update has taken can only push that one behind itself, by a revisit.
        // (Under rf whether it can is known only once the read is there, since the read may order writes elsewhere: see add_read.)
        if (a.kind != ActionKind::Load && model_->tracks_coherence(l) && effect_of_read(a, v).written) {
            const EventId taker = options_asked_.equivalence == Equivalence::Rf ? kNoEvent : graph_.taker(w);
            if (taker != kNoEvent && !can_revisit(graph_[taker].update_read, next_prefix(t, w))) {
                continue;
            }
        }
        sources_.push_back(w);
    }
}

void Explorer::offer_reads(ThreadId t, const Action& a) {
    find_sources(t, a);
    for (const EventId w : sources_) {
        offer({.kind = Option::Kind::Source, .event = w});
    }
    const Position& at = threads_[t.index].at;
    const auto& co = graph_.location(location_for(a, at.step)).coherence;
    if (model_->tracks_coherence(graph_[co.front()].location) && !satisfies(at, a, value_of(co.back()))) {
        offer({.kind = Option::Kind::Postpone, .event = at.waiting == kNoEvent ? kNoEvent : graph_[at.waiting].source});
    }
}

bool Explorer::add_read(ThreadId t, const Action& a, EventId source, std::size_t position) {
    const Value v = value_of(source);
    const GraphEvent read = read_event(t, a, source);
    const std::uint32_t pieces = pieces_of(a);
    const EventId e = add(read, position, a.place, v);
    notes_[e.index].may_wait =
        (a.kind == ActionKind::Lock && !a.try_only) || a.wait != Wait::None || notes_[e.index].before.loops;
    if (!model_->admits(e)) {
        return false;
    }
    check_access(t, a, e);
    Thread& thread = threads_[t.index];
    if (pieces > 1) {
        if (++thread.at.step < pieces) {
            thread.known = false;
            return true;
        }
        Value whole;
        const auto events = graph_.thread(t);
        for (std::size_t k = events.size() - pieces; k < events.size(); ++k) {
            const Location& l = graph_.location(graph_[events[k]].location);
            put_part(whole, static_cast<unsigned>(l.address - a.address), l.size, notes_[events[k].index].value);
        }
        move_on(t, a, whole);
        return true;
    }
    const ReadEffect effect = effect_of_read(a, v);
    if (effect.written) {
        const EventId taker = options_asked_.equivalence == Equivalence::Rf ? graph_.taker(source) : kNoEvent;
        if ((taker != kNoEvent && !can_revisit(graph_[taker].update_read, model_->prefix(e))) ||
            comes_too_early({model_->prefix(e), graph_[source].rank + 1, *effect.written}, read.location)) {
            return false;
        }
        if (a.weak) {
            assume({.kind = "weak-compare-exchange",
                    .place = a.place,
                    .detail = "taken never to fail spuriously",
                    .standing = true});
        }
        thread.at.step = 1;
        thread.at.waiting = kNoEvent;
    } else {
        move_on(t, a, effect.outcome);
    }
    return true;
}

void Explorer::add_wait(ThreadId t, const Action& a, EventId because, std::size_t position) {
    const EventId e =
        add({.kind = EventKind::Wait, .thread = t, .location = location_for(a, 0), .source = because}, position, a.place, {});
    notes_[e.index].may_wait = true;
    threads_[t.index].at.waiting = e;
}

// --- writes --------------------------------------------------------------------------------------------------------------------------------

GraphEvent Explorer::write_event(ThreadId t, const Action& a) {
    const bool updates = a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock;
    return {.kind = EventKind::Write,
            .order = updates ? order_of_write(a) : a.order,
            .update = updates,
            .thread = t,
            .location = location_for(a, threads_[t.index].at.step),
            .update_read = updates ? graph_.last(t) : kNoEvent};
}

Value Explorer::written_value(ThreadId t, const Action& a, const GraphEvent& e) {
    switch (a.kind) {
    case ActionKind::Rmw:
    case ActionKind::Lock:
        return *effect_of_read(a, notes_[graph_.last(t).index].value).written;
    case ActionKind::Unlock:
        return {};
    default: {
        const Location& l = graph_.location(e.location);
        return l.size == a.size ? a.value : part_of(a.value, static_cast<unsigned>(l.address - a.address), l.size);
    }
    }
}

/// Places in coherence for the write of `t`: after the floor, and not between an update's source and its write.
void Explorer::offer_places(ThreadId t, const Action& a) {
    const GraphEvent e = write_event(t, a);
    const auto& co = graph_.location(e.location).coherence;
    if (e.update) {
        const EventId source = graph_[e.update_read].source;
        if (graph_.taker(source) == kNoEvent) {
            const bool tracked = model_->tracks_coherence(e.location);
            const auto last = static_cast<std::uint32_t>(co.size());
            offer({.kind = Option::Kind::Place, .number = tracked ? graph_[source].rank + 1 : last});
        }
        return;
    }
    if (!model_->tracks_coherence(e.location)) {
        offer({.kind = Option::Kind::Place, .number = static_cast<std::uint32_t>(co.size())});
        return;
    }
    for (std::uint32_t rank = model_->floor(e) + 1; rank <= co.size(); ++rank) {
        if (graph_.taker(co[rank - 1]) == kNoEvent) {
            offer({.kind = Option::Kind::Place, .number = rank});
        }
    }
}

void Explorer::offer_writes(ThreadId t, const Action& a) {
    offer_places(t, a);
    offer_revisits(t, a);
}

bool Explorer::add_write(ThreadId t, const Action& a, std::uint32_t rank) {
    GraphEvent write = write_event(t, a);
    write.rank = rank;
    const std::uint32_t pieces = pieces_of(a);
    const EventId e = add(write, graph_.size(), a.place, written_value(t, a, write));
    if (!model_->admits(e) || comes_too_early({model_->prefix(e), rank + 1, value_of(e)}, write.location)) {
        return false;
    }
    check_access(t, a, e);
    Thread& thread = threads_[t.index];
    thread.at.loops = {};
    if (pieces > 1 && thread.at.step + 1 < pieces) {
        ++thread.at.step;
        thread.known = false;
        return true;
    }
    move_on(t, a, write.update ? effect_of_read(a, notes_[write.update_read.index].value).outcome : Value{});
    return true;
}

// --- everything else -----------------------------------------------------------------------------------------------------------------------

bool Explorer::add_spawn(ThreadId t, const Action& a) {
    const auto id = session_.names.child(t, a.count);
    if (!id) {
        stop(Verdict::OutOfBudget, "more threads than Heddle can name", a.place);
        return true;
    }
    const EventId spawn = add({.kind = EventKind::Spawn, .thread = t, .other = *id}, graph_.size(), a.place, {});
    move_on(t, a, {.lo = id->index});
    if (id->index >= threads_.size()) {
        threads_.resize(id->index + 1);
    }
    threads_[id->index] = {.at = {.state = machine_.start_thread(a, *id)}, .action = {}, .known = false};
    add({.kind = EventKind::Begin, .thread = *id, .source = spawn}, graph_.size(), a.place, {});
    return true;
}

bool Explorer::add_other(ThreadId t, const Action& a, std::uint64_t number) {
    const auto event = [&](GraphEvent e, const Value& v = {}) {
        e.thread = t;
        return add(e, graph_.size(), a.place, v);
    };
    switch (a.kind) {
    case ActionKind::Fence:
        event({.kind = EventKind::Fence, .order = a.order, .fence = a.fence});
        break;
    case ActionKind::Spawn:
        return add_spawn(t, a);
    case ActionKind::Join: {
        const ThreadId other(static_cast<std::uint32_t>(a.value.lo));
        const EventId end = graph_.last(other);
        if (const char* wrong = join_fault(a)) { // somebody else was faster
            report(machine_.trap_here(threads_[t.index].at.state, TrapKind::ThreadMisuse, wrong), t);
        }
        event({.kind = EventKind::Join, .other = other, .source = end});
        move_on(t, a, notes_[end.index].value);
        return true;
    }
    case ActionKind::Exit:
    case ActionKind::Done:
        notes_[event({.kind = EventKind::End}, a.value).index].exits = a.kind == ActionKind::Exit;
        threads_[t.index].known = false;
        return true;
    case ActionKind::Choose:
    case ActionKind::Nondet:
        event({.kind = EventKind::Choose}, {.lo = number});
        move_on(t, a, {.lo = number});
        return true;
    case ActionKind::Alloc: {
        const EventId e = event({.kind = EventKind::Alloc});
        notes_[e.index].object = a.address;
        allocs_[e.index] = a;
        static_cast<void>(memory_.perform(a));
        break;
    }
    case ActionKind::Free: {
        const EventId e = event({.kind = EventKind::Free});
        notes_[e.index].object = a.address;
        check_free(t, e);
        frees_.try_emplace(a.address, e);
        break;
    }
    case ActionKind::Pause:
        stop(Verdict::OutOfBudget, "a loop that does nothing others can see ran for too long",
             machine_.place(threads_[t.index].at.state));
        return true;
    default:
        stop(Verdict::Unsupported, "an atomic section (__VERIFIER_atomic)", a.place);
        return true;
    }
    move_on(t, a, {});
    return true;
}

} // namespace heddle

// Explorer: the choices for the next event, and adding it.
#include "search/dpor/explorer.hpp"

#include "search/conclude/conclude.hpp"
#include "search/dpor/endings.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace heddle {

EventId Explorer::add(const GraphEvent& e, std::size_t position, const Value& value, const Position& before) {
    const EventId id = graph_.add_at(e, position);
    if (id.index >= notes_.size()) {
        const Note note{before, value}; // either may be another event's note, which is about to move
        notes_.resize(graph_.slots() * 2);
        notes_[id.index] = note;
    } else {
        Note& note = notes_[id.index];
        note.before = before;
        note.value = value;
    }
    model_->added(id);
    if (own_hb_) {
        own_hb_->added(id);
    }
    added_.push_back(id);
    result_.events += is_repeating() ? 0 : 1;
    return id;
}

// --- reads ---------------------------------------------------------------------------------------------------------------------------------

GraphEvent Explorer::read_event(ThreadId t, EventId source) {
    Step& s = step_of(t);
    const bool updates = s.action.kind != ActionKind::Load;
    bool writes = false;
    if (updates) {
        const Edge& edge = steps_.reading(s, value_of(source));
        writes = !edge.waits && edge.writes;
    }
    return {.kind = EventKind::Read,
            .order = order_of_read(s.action, writes),
            .update = updates,
            .thread = t,
            .index = next_index(t),
            .location = location_for(s, threads_[t.index].at.part),
            .source = source,
            .needs = needs_of(t, false)};
}

GraphEvent Explorer::reads_there(ThreadId t) {
    Step& s = step_of(t);
    return {.kind = EventKind::Read,
            .order = s.action.order,
            .update = s.action.kind != ActionKind::Load,
            .thread = t,
            .index = next_index(t),
            .location = location_for(s, threads_[t.index].at.part),
            .needs = needs_of(t, false)};
}

void Explorer::track(LocationId l) {
    if (model_->tracks_coherence(l)) {
        return;
    }
    lessons_.tracked.insert(graph_.location(l).address);
    if (!can_learn_in_place(l)) {
        throw LessonLearnt{};
    }
    model_->track(l);
    learnt_in_place_ = true;
}

/// As long as each write of the location came last because it knew all that were there, and every value let everybody go on who read it (otherwise this would have been learnt then), the search would have come to the
/// same executions if it had been tracked: each write would have had one place, and the latest write of each part is the same. (Writes that were only counted are among them: note_unbuilt_write.) So what was explored until now counts. Not where work is shared: what others
/// have explored is not known here; and what is given away are numbers of options, some of which are counted instead of offered where coherence is not tracked (look_at_budgets).
bool Explorer::can_learn_in_place(LocationId l) const {
    const bool is_shared = crew_ && (crew_->has_begun() || options_asked_.tuning.give_all);
    // (Who is shown executions is shown the coherence of what is tracked in each of them.)
    return options_asked_.tuning.learn_in_place && !is_shared && !observer_ && model_->could_always_track(l);
}

/// A program with a thousand mutexes would start a thousand times. What is learnt on the way is what any attempt would learn: whatever a thread does in
/// one consistent execution, it does in one that the search finds.
void Explorer::track_from_now_on(LocationId l) {
    if (model_->tracks_coherence(l)) {
        return;
    }
    if (!options_asked_.tuning.learn_more || !model_->can_track(l) || can_learn_in_place(l)) {
        return track(l);
    }
    lessons_.tracked.insert(graph_.location(l).address);
    model_->track(l);
    learnt_ = true;
}

void Explorer::find_sources(ThreadId t) {
    sources_.clear();
    const Position& at = threads_[t.index].at;
    Step& s = *at.step;
    const Action& a = s.action;
    const LocationId l = location_for(s, at.part);
    if ((a.kind == ActionKind::Lock && !a.try_only) || a.wait != Wait::None) {
        track_from_now_on(l);
    }
    const auto& co = graph_.location(l).coherence;
    const GraphEvent* wait = at.waiting == kNoEvent || s.in_iteration > 0 ? nullptr : &graph_[at.waiting]; // see brings_news
    // A thread that waits was offered what was there when it began to wait, and could read nothing of what was there when it was last asked.
    const Thread& thread = threads_[t.index];
    const std::uint32_t seen = !wait ? 0 : was_idle(thread) ? thread.idle.stamp : wait->stamp;
    // Who waits is asked about at each step, and mostly nothing has come that would let it go on: that is seen without asking the model. (Of many writes
    // the floor leaves few.)
    if (wait && co.size() <= options_asked_.tuning.few_writes &&
        std::ranges::none_of(co, [&](EventId w) { return graph_[w].stamp > seen && satisfies(s, value_of(w)); })) {
        return;
    }
    const GraphEvent read = reads_there(t);
    const std::uint32_t floor = model_->floor(read);
    const bool asks = options_asked_.equivalence == Equivalence::Rf; // else the floor has said all that is known beforehand
    const auto [readable, is_certain] = asks ? model_->readable(read) : MemoryModel::Readable();
    sources_are_told_ = is_certain;
    const bool foresees = a.kind != ActionKind::Load && options_asked_.tuning.foresee_updates && model_->keeps_latest(read);
    for (std::uint32_t rank = floor; rank < co.size(); ++rank) {
        const EventId w = co[rank];
        if (wait && (graph_[w].stamp <= seen || !wakes(w, at.waiting))) {
            continue;
        }
        if (s.may_wait && !satisfies(s, value_of(w))) {
            track(l);
            continue;
        }
        if (asks && (readable.empty() ? model_->excludes(read, w) : readable[rank] == 0)) {
            continue;
        }
        // An update of a write that another update has taken can only push that one behind itself, by a revisit.
        // (Whether an iteration that is done as a whole can be pushed depends on what else it would then read: see may_be_pushed. Under rf
        // whether it can may be known only once the read is there, since the read may order writes elsewhere: see add_read.)
        // The taker is found among all that read it; it does not matter to an update that would fail.
        if (foresees && graph_[w].first_reader != kNoEvent && steps_.reading(s, value_of(w)).writes) {
            const EventId taker = graph_.taker(w);
            if (taker != kNoEvent && place_in_iteration(graph_[taker].update_read) == 0 && !can_push(t, w, taker) &&
                !may_be_void(t, w, taker)) {
                continue;
            }
        }
        sources_.push_back(w);
    }
    if (const EventId own = forwarding_void(t); own != kNoEvent && !wait && (!s.may_wait || satisfies(s, value_of(own)))) {
        sources_.push_back(own);
    }
}

void Explorer::offer_reads(ThreadId t) {
    if (begins_iteration(step_of(t))) {
        return offer_iterations(t);
    }
    if (threads_[t.index].at.waiting == kNoEvent) { // else can_go_on has just found them
        find_sources(t);
    }
    count_last_reads(t);
    if (options_asked_.equivalence == Equivalence::Rf) {
        count_all_last_reads(t);
        count_last_pairs(t);
    }
    count_last_runs(t);
    // The latest first: the first executions are those that a strong machine shows, and are reached without a detour.
    for (std::size_t k = sources_.size(); k-- > 0;) {
        offer({.kind = Option::Kind::Source, .event = sources_[k]});
    }
    const Position& at = threads_[t.index].at;
    if (!at.step->may_wait) {
        return;
    }
    const auto& co = graph_.location(location_for(*at.step, at.part)).coherence;
    if (model_->tracks_coherence(graph_[co.front()].location) && !satisfies(*at.step, value_of(co.back()))) {
        offer({.kind = Option::Kind::Postpone, .event = at.waiting == kNoEvent ? kNoEvent : graph_[at.waiting].source});
    }
}

bool Explorer::add_read(ThreadId t, EventId source, std::size_t position) {
    Step* const step = threads_[t.index].at.step;
    Step& s = *step;
    const Value v = value_of(source);
    const EventId e = add(read_event(t, source), position, v);
    if (!is_admitted(e)) {
        return false;
    }
    check_access(t, e);
    if (s.pieces > 1) {
        go_on(t, e);
        return true;
    }
    Edge& edge = steps_.reading(s, v);
    if (!edge.writes) {
        go_along(t, s, edge);
        if (graph_.may_have_holes()) {
            go_past_kept(t);
        }
        return true;
    }
    const Value written = edge.written; // what follows asks about steps, and the edge may move
    const bool foresees = options_asked_.tuning.foresee_updates && !model_->keeps_latest(graph_[e]); // else find_sources has
    const EventId taker = foresees ? graph_.taker(source) : kNoEvent;
    if ((taker != kNoEvent && place_in_iteration(graph_[taker].update_read) == 0 &&
         !can_revisit(graph_[taker].update_read, model_->prefix(e))) ||
        comes_too_early({model_->prefix(e), graph_[source].rank + 1, written}, s.location)) {
        return false;
    }
    if (s.action.weak) {
        assume(weak_compare_exchange(s.action));
    }
    go_on(t, e);
    return true;
}

void Explorer::add_wait(ThreadId t, EventId because, std::size_t position) {
    const LocationId l = location_for(step_of(t), 0);
    threads_[t.index].at.waiting =
        add({.kind = EventKind::Wait, .thread = t, .index = next_index(t), .location = l, .source = because}, position, {});
}

// --- writes --------------------------------------------------------------------------------------------------------------------------------

GraphEvent Explorer::write_event(ThreadId t) {
    Step& s = step_of(t);
    const Action& a = s.action;
    const bool updates = a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock;
    return {.kind = EventKind::Write,
            .order = updates ? order_of_write(a) : a.order,
            .update = updates,
            .thread = t,
            .index = next_index(t),
            .location = location_for(s, threads_[t.index].at.part),
            .update_read = updates ? graph_.at(t, next_index(t) - 1) : kNoEvent,
            .needs = needs_of(t, true)};
}

Value Explorer::written_value(ThreadId t, const GraphEvent& e) {
    Step& s = step_of(t);
    switch (s.action.kind) {
    case ActionKind::Rmw:
    case ActionKind::Lock:
        return steps_.reading(s, notes_[e.update_read.index].value).written;
    case ActionKind::Unlock:
        return {};
    default: {
        if (s.pieces == 1) {
            return s.action.value;
        }
        const Location& l = graph_.location(e.location);
        return part_of(s.action.value, static_cast<unsigned>(l.address - s.action.address), l.size);
    }
    }
}

/// Places in coherence for a write: after the floor, and not between an update's source and its write.
void Explorer::offer_places(const GraphEvent& e) {
    const auto& co = graph_.location(e.location).coherence;
    if (e.update) {
        const EventId source = graph_[e.update_read].source;
        if (graph_.taker(source) == kNoEvent && !graph_[source].is_void()) {
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
    const std::uint32_t floor = model_->floor(e);
    for (auto rank = static_cast<std::uint32_t>(co.size()); rank > floor; --rank) {
        if (graph_.taker(co[rank - 1]) == kNoEvent) {
            offer({.kind = Option::Kind::Place, .number = rank});
        }
    }
}

void Explorer::offer_writes(ThreadId t) {
    offered_.write = write_event(t);
    const GraphEvent& write = offered_.write;
    const std::size_t first = options_.size();
    offer_places(write);
    const bool last = count_last_writes(write, first);
    offer_revisits(write, last);
    offer_revisits_of_iterations(write);
    if (model_->splits_updates() && write.update && model_->splits_off(write)) {
        offer({.kind = Option::Kind::Void});
    }
}

void Explorer::complete(Pending& pending) {
    const ThreadId t = pending.write.thread;
    pending.before = threads_[t.index].at;
    pending.value = written_value(t, pending.write);
}

bool Explorer::add_write(Pending& pending, std::uint32_t rank) {
    GraphEvent& write = pending.write;
    const ThreadId t = write.thread;
    write.rank = rank;
    model_->placing(write);
    const EventId e = add(write, graph_.size(), pending.value, pending.before);
    graph_.for_each_reader(e, [&](EventId r) {
        HEDDLE_CHECK(notes_[r.index].value == pending.value, "a write comes back with another value than was forwarded");
    });
    if (!is_admitted(e) || comes_too_early({model_->prefix(e), rank + 1, notes_[e.index].value}, write.location)) {
        return false;
    }
    check_access(t, e);
    if (next_index(t) == write.index) {
        go_on(t, e);
    } // else there are holes before it: its thread comes past it when they are filled
    return true;
}

// --- everything else -----------------------------------------------------------------------------------------------------------------------

bool Explorer::add_spawn(ThreadId t) {
    Step* const step = threads_[t.index].at.step;
    const auto id = session_.names.child(t, step->action.count);
    if (!id) {
        stop(Verdict::OutOfBudget, "more threads than Heddle can name", step->action.place);
        return true;
    }
    const EventId spawn = add({.kind = EventKind::Spawn, .thread = t, .index = next_index(t), .other = *id}, graph_.size(), {});
    go_on(t, spawn);
    make_room_for_threads(id->index + 1);
    stand(*id, {.step = steps_.spawned(*step, *id)});
    add({.kind = EventKind::Begin, .thread = *id, .source = spawn}, graph_.size(), {});
    threads_[id->index].at.index = 1;
    return true;
}

bool Explorer::add_other(ThreadId t, std::uint64_t number) {
    Step* const step = threads_[t.index].at.step;
    const Action& a = step->action;
    EventId e = kNoEvent;
    const auto event = [&](GraphEvent with, const Value& v = {}) {
        with.thread = t;
        with.index = next_index(t);
        with.needs = needs_of(t, false);
        e = add(with, graph_.size(), v);
    };
    switch (a.kind) {
    case ActionKind::Fence:
        event({.kind = EventKind::Fence, .order = a.order, .fence = a.fence});
        break;
    case ActionKind::Spawn:
        return add_spawn(t);
    case ActionKind::Join: {
        const ThreadId other(static_cast<std::uint32_t>(a.value.lo));
        const EventId end = graph_.last(other);
        event({.kind = EventKind::Join, .other = other, .source = end});
        break;
    }
    case ActionKind::Exit:
    case ActionKind::Done:
        event({.kind = EventKind::End}, a.value);
        return true;
    case ActionKind::Choose:
    case ActionKind::Nondet:
        event({.kind = EventKind::Choose}, {.lo = number});
        break;
    case ActionKind::Alloc:
        event({.kind = EventKind::Alloc});
        steps_.allocated(a);
        ++allocs_;
        static_cast<void>(memory_.perform(a));
        break;
    case ActionKind::Free: {
        event({.kind = EventKind::Free});
        look_at_failures(e);
        check_free(t, e);
        frees_[a.address].push_back(e);
        break;
    }
    case ActionKind::Pause:
        stop(Verdict::OutOfBudget, "a loop that does nothing others can see ran for too long", machine_.place(step->state));
        return true;
    default:
        stop(Verdict::Unsupported, "an atomic section (__VERIFIER_atomic)", a.place);
        return true;
    }
    go_on(t, e);
    return true;
}

} // namespace heddle

// Explorer: what is wrong with an execution, and how it ends.
#include "search/dpor/explorer.hpp"

#include "property/races.hpp"
#include "search/conclude/conclude.hpp"
#include "search/conclude/names.hpp"
#include "search/conclude/stuck.hpp"
#include "search/dpor/endings.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace heddle {

void Explorer::stop(Verdict verdict, std::string reason, PlaceId place) {
    if (!stopped_) {
        stopped_ = true;
        result_.verdict = verdict;
        result_.reason = std::move(reason);
        result_.place = place;
        if (crew_) {
            crew_->stop();
        }
    }
}

void Explorer::report(Trap trap, ThreadId thread, std::vector<EventId> about, std::vector<Violation::Other> also) {
    if (graph_.may_have_holes() && (is_doomed() || rests_on_failure(thread, about))) {
        return;
    }
    if (trap.kind == TrapKind::Unsupported || trap.kind == TrapKind::OutOfBudget) {
        stop(trap.kind == TrapKind::Unsupported ? Verdict::Unsupported : Verdict::OutOfBudget, trap.message, trap.stack.front());
        return;
    }
    if (is_repeating()) {
        return; // who gave this part away has reported it
    }
    std::vector<PlaceId> places;
    std::ranges::transform(about, std::back_inserter(places), [this](EventId e) { return place_of(e); });
    if (!reported_.insert(violation_key(trap, places)).second) {
        return;
    }
    Violation v{.trap = std::move(trap), .thread = thread, .also = std::move(also)};
    std::vector<std::size_t> positions;
    v.witness = witness(&positions);
    for (const EventId e : about) {
        v.about.push_back(positions[e.index]);
    }
    name_conditions(v);
    result_.violations.push_back(std::move(v));
    if (!options_asked_.keep_going) {
        stopped_ = true;
        if (crew_) {
            crew_->stop();
        }
    }
}

/// Does this thread do what it does, or do these events exist, because of something that a thread did after it had failed (Step::failures)?
bool Explorer::rests_on_failure(ThreadId thread, const std::vector<EventId>& about) const {
    if (threads_[thread.index].at.step->failed) {
        return true;
    }
    const auto failed = [](const Thread& t) { return t.at.step && t.at.step->is_after_failure(); };
    if (std::ranges::none_of(threads_, failed)) {
        return false;
    }
    const auto rests = [this](EventId e) {
        return e != kNoEvent && std::ranges::any_of(graph_.order(), [&](EventId x) {
                   return graph_[x].kind != EventKind::Wait && notes_[x.index].before.step &&
                          notes_[x.index].before.step->is_after_failure() && model_->contains(model_->prefix(e), x);
               });
    };
    return std::ranges::any_of(graph_.thread(thread), rests) || std::ranges::any_of(about, rests);
}

void Explorer::report(Fault fault, EventId e, EventId other) {
    Trap trap = machine_.trap_here(notes_[e.index].before.step->state, fault.kind, std::move(fault.message));
    trap.object = std::move(fault.object);
    report(std::move(trap), graph_[e].thread, {e, other});
}

// --- accesses ------------------------------------------------------------------------------------------------------------------------------

void Explorer::look_for_faults(ThreadId t, EventId e) {
    const Step& s = *notes_[e.index].before.step;
    const Action& a = s.action;
    if (graph_[e].is_read() && decides_by_value(a) && !notes_[e.index].value.defined()) {
        report(machine_.trap_here(s.state, TrapKind::UninitializedRead, kUninitializedLock), t, {e});
    }
    if (!frees_.empty()) {
        const Object* o = memory_.objects().find(a.address);
        const auto it = o ? frees_.find(o->base) : frees_.end();
        for (std::size_t k = 0; it != frees_.end() && k < it->second.size(); ++k) {
            const EventId free = it->second[k];
            if (model_->before(e, free)) { // only then is the access certainly good
                continue;
            }
            Objects after = memory_.objects();
            after.end(o->base, place_of(free));
            if (auto fault = after.access_fault(a.address, a.size, graph_[e].kind == EventKind::Write, false)) {
                report(std::move(*fault), e, free);
            }
        }
    }
    if (races_ && graph_.location(graph_[e].location).plain > 0) {
        check_race(t, e);
        if (graph_[e].is_read() && s.may_wait && s.loops && s.pieces == 1) {
            check_failed_races(t, e);
        }
    }
}

void Explorer::check_race(ThreadId t, EventId e) {
    races_with(graph_, *races_, e, racing_);
    if (racing_.empty()) {
        return;
    }
    const Location& l = graph_.location(graph_[e].location);
    const auto racer = [&](EventId x) {
        return Racer{.thread = graph_[x].thread, .atomic = graph_[x].order != Order::NonAtomic, .reads = graph_[x].is_read()};
    };
    for (const EventId other : racing_) {
        report(machine_.trap_here(notes_[e.index].before.step->state, TrapKind::DataRace,
                                  race_text(racer(e), racer(other), name_of(l), to_string(session_.program, place_of(other)))),
               t, {e, other});
    }
}

/// Races of reads before this one, at the same place, that made its loop fail: they are in no graph. Let such a read have read `w`, and let `other` be a write that it was not
/// ordered with. What the thread did before, what `w` and what `other` needed is an execution in which that read comes next if `w` is the latest in it; then comes `other`, which can
/// always be added. So both are there, and nothing that `other` needs comes after the read. (A write that comes after `e` and does not need it races with `e` itself.)
void Explorer::check_failed_races(ThreadId t, EventId e) {
    const LocationId l = graph_[e].location;
    if (!model_->tracks_coherence(l)) {
        return; // nothing that was read there could make a loop fail
    }
    Step& s = *notes_[e.index].before.step;
    const EventId before = graph_.at(t, graph_[e].index - 1);
    const auto& co = graph_.location(l).coherence;
    const auto is_plain = [&](EventId x) { return graph_[x].order == Order::NonAtomic; };
    racing_.clear(); // writes of others that the thread does not know of: mostly there are none
    const ConstClock known = races_->row(before);
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const auto events = k == t.index ? std::span<const EventId>{} : graph_.thread(ThreadId(k));
        for (std::size_t index = k < known.size() ? known[k] : 0; index < events.size(); ++index) {
            const GraphEvent& write = graph_[events[index]];
            if (write.kind == EventKind::Write && write.location == l && (is_plain(e) || is_plain(events[index]))) {
                racing_.push_back(events[index]);
            }
        }
    }
    for (std::size_t rank = 0; rank < co.size() && !racing_.empty(); ++rank) {
        const EventId w = co[rank];
        if (!steps_.reading(s, value_of(w)).futile) {
            continue;
        }
        const bool learns = rank > 0 && !is_plain(w) && is_acquire(s.action.order);
        const auto is_latest_for = [&](EventId other) {
            return std::none_of(co.begin() + static_cast<std::ptrdiff_t>(rank) + 1, co.end(), [&](EventId x) {
                return model_->contains(model_->prefix(before), x) || (rank > 0 && model_->contains(model_->prefix(w), x)) ||
                       (x != other && model_->contains(model_->prefix(other), x));
            });
        };
        for (const EventId other : racing_) {
            if ((learns && races_->contains(races_->message(w), other)) || model_->contains(model_->prefix(other), e) ||
                (rank > 0 && model_->contains(model_->prefix(w), e)) || !is_latest_for(other)) {
                continue;
            }
            const auto racer = [&](EventId x, bool reads) {
                return Racer{.thread = graph_[x].thread, .atomic = !is_plain(x), .reads = reads};
            };
            report(machine_.trap_here(s.state, TrapKind::DataRace,
                                      race_text(racer(e, true), racer(other, false), name_of(graph_.location(l)),
                                                to_string(session_.program, place_of(other))) +
                                          " (in an iteration of the loop before this one)"),
                   t, {e, other});
        }
    }
}

/// The accesses to an object by other threads than this. Found by location: a program may free as many objects as it has events. (Where there may be holes, what a read
/// reads from need not be in coherence, so then all is looked at, if others access the object at all.)
std::vector<EventId> Explorer::accesses_of_others(ThreadId t, const Object& object) {
    std::vector<EventId> accesses;
    const auto visit = [&](EventId x) {
        const GraphEvent& e = graph_[x];
        const bool is_other = (e.is_read() || e.kind == EventKind::Write) && e.thread != t;
        if (is_other && graph_.location(e.location).address - object.base < object.size) {
            accesses.push_back(x);
        }
    };
    bool shared = false;
    cells_.for_each_in(object.base, object.base + object.size, [&](LocationId id) {
        const Location& l = graph_.location(id);
        if (!l.has_other_reader(t) && !l.has_other_writer(t)) {
            return;
        }
        shared = true;
        for (std::size_t rank = 0; rank < l.coherence.size() && !graph_.may_have_holes(); ++rank) {
            visit(l.coherence[rank]);
            graph_.for_each_reader(l.coherence[rank], visit);
        }
    });
    if (shared && graph_.may_have_holes()) {
        std::ranges::for_each(graph_.order(), visit);
    }
    return accesses;
}

void Explorer::check_free(ThreadId t, EventId e) {
    const Address base = object_of(e);
    if (const auto earlier = frees_.find(base); earlier != frees_.end()) {
        Objects before = memory_.objects();
        before.end(base, place_of(earlier->second.front()));
        if (auto fault = before.release_fault(base)) {
            report(std::move(*fault), e, earlier->second.front());
        }
    }
    const Object* o = memory_.objects().find(base);
    HEDDLE_CHECK(o, "freeing what is not there");
    std::vector<EventId> unordered = accesses_of_others(t, *o);
    std::erase_if(unordered, [&](EventId x) { return model_->before(x, e); });
    if (unordered.empty()) {
        return;
    }
    std::ranges::sort(unordered, {}, [this](EventId x) { return graph_[x].stamp; }); // the oldest is told first
    Objects after = memory_.objects();
    after.end(base, place_of(e));
    for (const EventId x : unordered) {
        const Location& l = graph_.location(graph_[x].location);
        if (auto fault = after.access_fault(l.address, l.size, graph_[x].kind == EventKind::Write, false)) {
            report(std::move(*fault), x, e);
        }
    }
}

// --- the end of an execution ---------------------------------------------------------------------------------------------------------------

void Explorer::observe(bool blocked) {
    if (observer_) {
        Execution x = to_execution(graph_);
        // Choices are the search's, the graph does not know them.
        std::size_t k = graph_.locations();
        for (const EventId e : events_in_order(graph_)) {
            x.events[k++].chosen = graph_[e].kind == EventKind::Choose ? notes_[e.index].value.lo : 0;
        }
        for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
            if (!model_->tracks_coherence(LocationId(l))) {
                x.coherence.erase(graph_.location(LocationId(l)).address);
            }
        }
        observer_(canonical(x), blocked);
    }
}

bool Explorer::is_within_budget() {
    if (options_asked_.max_executions != 0 && result_.complete + result_.blocked >= options_asked_.max_executions) {
        stop(Verdict::OutOfBudget, fmt::format("--max-executions {}", options_asked_.max_executions));
        return false;
    }
    return true;
}

void Explorer::note_length(std::size_t events) {
    if (lengths_.grow(events, steps_.busiest_loop()) && options_asked_.unroll == 0) {
        stop(Verdict::OutOfBudget, growing_executions(events, steps_.busiest_loop()), steps_.busiest_loop().place);
    }
}

void Explorer::leaf() {
    if (is_doomed() || !is_within_budget()) {
        return;
    }
    note_length(graph_.size());
    look_at_failures();
    for (std::uint32_t k = 0; k < threads_.size() && graph_.may_have_holes(); ++k) {
        if (exists(ThreadId(k)) && step_of(ThreadId(k)).is_after_failure()) {
            tell_failure(ThreadId(k));
            ++result_.blocked;
            observe(true);
            return;
        }
    }
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (exists(ThreadId(k)) && !finished(ThreadId(k))) {
            blocked_leaf();
            return;
        }
    }
    ++result_.complete;
    observe(false);
    if (options_asked_.final_memory) {
        const Memory after = final_memory();
        options_asked_.final_memory(globals_as_text(session_.program, [&](Address byte) { return after.load(byte, 1); }));
    }
    if (options_asked_.leaks) {
        check_leaks();
    }
}

bool Explorer::waits_for_good(ThreadId t) {
    switch (step_of(t).action.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock: {
        if (begins_iteration(step_of(t))) {
            return !find_latest_iteration(t);
        }
        const Edge& edge = reading_latest(t);
        return edge.waits || (edge.futile && fails_for_good(*edge.futile));
    }
    default:
        return true;
    }
}

/// Has the iteration in the middle of which the thread waits read what is no longer the latest?
bool Explorer::has_read_stale(ThreadId t) {
    const Step& s = step_of(t);
    if (!s.may_wait || begins_iteration(step_of(t))) {
        return false;
    }
    const Ref<LoopRecord> loop = reading_latest(t).futile;
    const auto is_inside = [&](const Step& of) {
        const LoopRecord* r = of.loops.raw();
        while (r && r != loop.raw()) {
            r = r->outer.raw();
        }
        return r != nullptr;
    };
    for (std::uint32_t k = next_index(t); loop && k-- > 0;) {
        const EventId e = graph_.at(t, k);
        if (!is_inside(*notes_[e.index].before.step)) {
            break;
        }
        if (graph_[e].is_read()) {
            track(graph_[e].location);
            if (graph_.co_next(graph_[e].source) != kNoEvent) {
                return true;
            }
        }
    }
    return false;
}

Edge& Explorer::reading_latest(ThreadId t) {
    const Position& at = threads_[t.index].at;
    return steps_.reading(*at.step, value_of(graph_.location(location_for(*at.step, at.part)).coherence.back()));
}

std::optional<Value> Explorer::latest_value(const Action& a) {
    const auto cells = cells_.of(memory_.objects(), a.address, a.size, is_atomic(a), a.place);
    if (cells.size() > 1) {
        return std::nullopt;
    }
    return value_of(graph_.location(cells[0]).coherence.back());
}

bool Explorer::fails_for_good(const LoopRecord& loop) {
    return heddle::fails_for_good(machine_, memory_.objects(), loop,
                                  [this](const ThreadState&, const Action& a) { return latest_value(a); });
}

bool Explorer::check_awaited(ThreadId t, const ThreadState& at, const Action& a) {
    const Object* const o = memory_.objects().find(a.address);
    const auto it = o ? frees_.find(o->base) : frees_.end();
    if (it == frees_.end()) {
        return false;
    }
    const EventId free = it->second.front();
    Objects after = memory_.objects();
    after.end(o->base, place_of(free));
    auto fault = after.access_fault(a.address, a.size, false, false);
    if (!fault || (graph_.may_have_holes() && rests_on_failure(t, {free}))) {
        return false;
    }
    Trap trap = machine_.trap_here(at, fault->kind, std::move(fault->message));
    trap.object = std::move(fault->object);
    report(std::move(trap), t);
    return true;
}

/// What a thread waits to read is no event, but it does read there, again and again, and that is an access like any other (check_access). Whatever the model, it may read the latest
/// write next; nothing comes after that read, so it does not come before a Free that is there. Hence it is no good, whether or not the thread would then get out of its loop.
bool Explorer::check_awaited() {
    bool wrong = false;
    for (std::uint32_t k = 0; k < threads_.size() && !frees_.empty(); ++k) {
        const ThreadId t(k);
        const Step* const s = exists(t) && !finished(t) ? &step_of(t) : nullptr;
        if (!s ||
            (s->action.kind != ActionKind::Load && s->action.kind != ActionKind::Rmw && s->action.kind != ActionKind::Lock)) {
            continue;
        }
        if (check_awaited(t, s->state, s->action)) {
            wrong = true;
        } else if (const Ref<LoopRecord> loop = reading_latest(t).futile) {
            static_cast<void>(heddle::fails_for_good(machine_, memory_.objects(), *loop,
                                                     [&](const ThreadState& at, const Action& a) -> std::optional<Value> {
                                                         const bool ended = check_awaited(t, at, a);
                                                         wrong = wrong || ended;
                                                         return ended ? std::nullopt : latest_value(a);
                                                     }));
        }
    }
    return wrong;
}

/// The same for races: the awaited read, of the latest write, is added for as long as it takes to ask. (If the thread went on later, it did so with a read of the same place,
/// after which nothing is ordered that was not ordered before.)
bool Explorer::check_awaited_races() {
    bool wrong = false;
    for (std::uint32_t k = 0; k < threads_.size() && races_ && !stopped_; ++k) {
        const ThreadId t(k);
        if (!exists(t) || finished(t) || !step_of(t).may_wait || step_of(t).pieces != 1 || !reading_latest(t).futile) {
            continue; // what the library waits for is no access of the program
        }
        const EventId latest = graph_.location(step_of(t).location).coherence.back();
        const std::uint64_t events = result_.events;
        const std::size_t before = added_.size();
        const EventId read = add(read_event(t, latest), graph_.size(), value_of(latest));
        check_race(t, read);
        wrong = wrong || !racing_.empty();
        remove_added(before);
        result_.events = events;
    }
    return wrong;
}

void Explorer::assume(Assumption a) {
    if (assumed_.insert(std::pair(a.kind, a.place.index)).second) {
        result_.assumptions.push_back(std::move(a));
    }
}

void Explorer::blocked_leaf() {
    const bool wrong = check_awaited();
    const bool races = check_awaited_races();
    bool misused = false; // a thread was stopped by its join, and that has been said
    std::vector<Stuck> stuck;
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const ThreadId t(k);
        if (!exists(t) || finished(t)) {
            continue;
        }
        const Step& s = step_of(t);
        if (!waits_for_good(t) || has_read_stale(t)) {
            // A loop that reads several locations would get out with the latest values, or wait having read these: another branch's business.
            if (const Ref<LoopRecord> loop = reading_latest(t).futile; loop && !wrong && !races) {
                learn_whole(*loop);
            }
            ++result_.dead_ends;
            return;
        }
        if (const auto bound = loop_bound(s.action, options_asked_.unroll)) {
            assume(*bound);
        }
        misused = misused || (s.action.kind == ActionKind::Join && join_fault(s.action));
        const bool locks = s.action.kind == ActionKind::Lock;
        stuck.push_back({t, &s, locks ? value_of(graph_.location(s.location).coherence.back()) : Value{}});
    }
    ++result_.blocked;
    observe(true);
    // Nobody knows what would have come if somebody reads what has ended.
    if (wrong || misused || !options_asked_.stuck || program_has_ended()) {
        return;
    }
    if (auto v = violation_of(machine_, memory_.objects(), stuck)) {
        report(std::move(v->trap), v->thread, {}, std::move(v->also));
    }
}

bool Explorer::program_has_ended() const {
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (exists(ThreadId(k)) && has_exited(ThreadId(k))) {
            return true;
        }
    }
    return false;
}

/// With each location holding its latest write.
Memory Explorer::final_memory() {
    Memory after = memory_;
    for (std::uint32_t k = 0; k < graph_.locations(); ++k) {
        const Location& l = graph_.location(LocationId(k));
        if (l.coherence.size() > 1 && after.objects().accessible(l.address, l.size, false)) {
            after.store(l.address, l.size, value_of(model_->latest(LocationId(k), [](EventId) { return true; })));
        }
    }
    return after;
}

/// What is lost depends on which write is the latest where pointers are. (A pointer that is accessed in pieces is in several locations.)
void Explorer::track_pointers() {
    const auto points = [&](EventId w) {
        const Value v = value_of(w);
        const auto to_heap = [&](std::uint64_t word) { return kind_of(without_tag(word)) == AddressKind::Heap; };
        return to_heap(v.lo) || to_heap(v.hi);
    };
    const bool pieces = std::ranges::any_of(lessons_.cuts, [](const auto& of_object) { return !of_object.second.empty(); });
    for (std::uint32_t k = 0; k < graph_.locations(); ++k) {
        const Location& l = graph_.location(LocationId(k));
        const bool piece = pieces && l.size < 8;
        if (!model_->knows_latest(LocationId(k)) && (piece || std::ranges::any_of(l.coherence, points))) {
            track(LocationId(k));
        }
    }
}

void Explorer::check_leaks() {
    if (allocs_ == 0 && !heap_before_) {
        return;
    }
    bool any = false;
    memory_.objects().for_each(
        [&](const Object& o) { any = any || (o.alive && o.kind == ObjectKind::Heap && !frees_.contains(o.base)); });
    if (!any) {
        return;
    }
    track_pointers();
    Memory after = final_memory();
    for (const auto& [base, frees] : frees_) {
        Action release;
        release.kind = ActionKind::Free;
        release.place = place_of(frees.front());
        release.address = base;
        static_cast<void>(after.perform(release));
    }
    std::vector<Violation::Other> lost;
    for (const Object& o : after.leaks({})) {
        lost.push_back({leak_of(o), thread_of(o.base)});
    }
    if (auto v = together(std::move(lost))) {
        report(std::move(v->trap), v->thread, {}, std::move(v->also));
    }
}

} // namespace heddle

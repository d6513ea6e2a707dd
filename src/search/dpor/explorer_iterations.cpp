// Explorer: loops that only try again, an iteration at a time.
//
// A loop such as
//     do { first = load(top); next = load(first->next); } while (!cas(top, first, next));
// fails when what it read no longer belongs together, and then tries again. Read by read, the search would choose an old `first`, find that the
// compare-exchange fails with all that is there, and let the thread wait at it for a write that brings `first` back; where none comes, the exploration
// ends with nothing. So the reads of an iteration, from the head of the loop on, are *one* choice: one source for each of them such that the iteration
// does not fail. Iterations that fail are never in the graph (spin.hpp says why that loses nothing).
//
// To the algorithm such an iteration is one read of several locations, and TruSt carries over: it is canonical if each source is the latest in its
// location of what the iteration found; a write w that comes later *revisits* the iteration by giving it sources of which one at least is w. The
// other sources may be any write that is there and does not need the iteration. What is kept is what was there before the iteration and what w and
// the other sources need, K; all else that came after it must be canonical, seen from K, and is cut away. Each execution is reached one way only:
// taking back the newest of its sources leaves an iteration which must be the canonical one for what it then finds, as with one source. (With K
// no larger than the prefix of w, executions would be missed in which an iteration reads two writes that know nothing of each other. That the
// iteration may come to read w's location only because of another new source is why all iterations are looked at, whatever they read now.)
//
// An iteration that reads the latest writes must always succeed: then the canonical choice exists, and no exploration ends with nothing. That is what
// lock-free means. A loop for which that is not so waits for other threads; it is noticed the first time that the latest writes, of what a
// revisit would keep or of all, would make an iteration fail, and from then on its reads are choices of their own, with Waits (explorer.hpp).
// Nothing of this is done before a loop has led to an exploration that ended with nothing: `Lessons` has both kinds of loops.
//
// Reads of an iteration lie one after the other in `order`. It ends with an effect, at the head of a loop, at a wait of the library, at an access in
// several pieces, or when it gets too long; what comes after is ordinary.
#include "search/dpor/explorer.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle {

// --- what is an iteration ------------------------------------------------------------------------------------------------------------------

std::uint32_t Explorer::place_in_iteration(EventId e) const {
    const EventKind kind = graph_[e].kind;
    if (kind != EventKind::Read && kind != EventKind::Fence) {
        return 0;
    }
    const std::uint32_t place = notes_[e.index].before.step->in_iteration;
    return kind == EventKind::Fence && place == 1 ? 0 : place;
}

bool Explorer::begins_iteration(Step& s) {
    if (s.in_iteration != 1 || s.action.kind == ActionKind::Fence) {
        return false;
    }
    if (s.pieces > 1) {
        s.in_iteration = 0;
    }
    return s.in_iteration == 1;
}

void Explorer::learn_whole(const LoopRecord& loop) {
    const LoopKey key = key_of(loop);
    if (!options_asked_.tuning.whole_iterations || graph_.may_have_holes() || lessons_.waiting.contains(key)) {
        return;
    }
    if (!lessons_.whole.insert(key).second) {
        // It was taken to wait for one location, and goes on to wait for others.
        if (lessons_.awaiting.contains(key) && lessons_.scattered.insert(key).second) {
            throw LessonLearnt{};
        }
        return;
    }
    // Other loops that read and then swap are likely to be of this kind, too, and each that were learnt by itself would cost an attempt. If one waits, that is
    // learnt as always.
    for (const LoopKey& other : steps_.swapping_loops()) {
        if (options_asked_.tuning.learn_together && !lessons_.waiting.contains(other)) {
            lessons_.whole.insert(other);
        }
    }
    throw LessonLearnt{};
}

void Explorer::learn_waiting(const LoopKey& loop) {
    lessons_.waiting.insert(loop);
    lessons_.whole.erase(loop);
    lessons_.awaiting.erase(loop);
    throw LessonLearnt{};
}

/// Does the thread, in the middle of an iteration, stand at its next event? Otherwise the iteration is over.
bool Explorer::is_in_iteration(ThreadId t) {
    const Position& at = threads_[t.index].at;
    return at.part == 0 && is_in_iteration(*at.step);
}

bool Explorer::is_in_iteration(Step& s) {
    if (s.in_iteration < 2) {
        return false;
    }
    if (s.action.kind == ActionKind::Fence) {
        return true;
    }
    if (steps_.arrive_without_object(s)) { // a trap, which look_at finds
        return false;
    }
    if (s.pieces == 0) {
        locate(s);
    }
    if (s.pieces > 1) {
        s.in_iteration = 0;
        return false;
    }
    return true;
}

// --- the iterations that there are ---------------------------------------------------------------------------------------------------------

/// Is it certain, without adding it, that this read of the thread is consistent, ends the iteration and leaves a place for what an update then writes? (What
/// may be wrong with it is looked at when the iteration is built.)
bool Explorer::surely_ends_iteration(ThreadId t, EventId source) {
    Step& s = step_of(t);
    Edge& edge = steps_.reading(s, value_of(source));
    if (!options_asked_.tuning.foresee_ends || options_asked_.equivalence != Equivalence::Trace ||
        !model_->admits_all(reads_there(t))) {
        return false;
    }
    return edge.writes ? graph_.co_next(source) == kNoEvent : steps_.follow(s, edge)->in_iteration < 2;
}

void Explorer::note_iteration(std::size_t position) {
    iterations_.push_back(static_cast<std::uint32_t>(words_.size()));
    words_.push_back(static_cast<std::uint32_t>(position));
    words_.push_back(static_cast<std::uint32_t>(trial_.size()));
    for (const EventId source : trial_) {
        words_.push_back(source.index);
    }
}

/// Adds the events of an iteration one by one, in every consistent way in which it does not fail. Pre: the thread stands at an event of it. `accepts` is asked
/// about trial_, of which the events up to `end` of the order are there.
void Explorer::extend_iteration(ThreadId t, std::size_t position, FunctionRef<bool(std::size_t end)> accepts) {
    const auto note = [&] { note_iteration(position + 1 - trial_.size()); };
    const auto go_further = [&] {
        if (is_in_iteration(t)) {
            extend_iteration(t, position + 1, accepts);
        } else if (accepts(position + 1)) {
            note();
        }
    };
    const std::size_t before = added_.size();
    if (step_of(t).action.kind == ActionKind::Fence) {
        trial_.push_back(kNoEvent);
        add_fence(t, position);
        go_further();
        trial_.pop_back();
        remove_added(before);
        return;
    }
    track(location_for(step_of(t), 0));
    if (awaits(step_of(t))) {
        look_at_awaited(step_of(t), waiting_since_);
    }
    find_sources(t);
    const std::size_t first = to_try_.size();
    to_try_.insert(to_try_.end(), sources_.begin(), sources_.end());
    const std::size_t end = to_try_.size();
    for (std::size_t k = first; k < end; ++k) {
        const EventId source = to_try_[k];
        trial_.push_back(source);
        if (surely_ends_iteration(t, source)) {
            if (accepts(position)) {
                note();
            }
        } else if (add_read(t, source, position)) {
            go_further();
        }
        trial_.pop_back();
        remove_added(before);
    }
    to_try_.resize(first);
}

/// Fills iterations_ with those of the thread, which stands before its first read.
void Explorer::find_iterations(ThreadId t, std::size_t position, FunctionRef<bool(std::size_t end)> accepts) {
    iterations_.clear();
    waiting_since_ = threads_[t.index].at.waiting;
    if (foresee_iterations(t, position, accepts)) {
        return;
    }
    const std::uint64_t events = result_.events; // what is only tried does not count
    extend_iteration(t, position, accepts);
    result_.events = events;
}

template <class F> bool Explorer::goes_through(Step& first, F&& value) {
    Step* s = &first;
    do {
        if (s->action.kind == ActionKind::Fence) {
            s = steps_.follow(*s, steps_.having(*s, {}));
            continue;
        }
        if (s->pieces == 0) {
            if (steps_.arrive_without_object(*s)) {
                break;
            }
            locate(*s);
        }
        if (s->pieces > 1) {
            break;
        }
        Edge& edge = steps_.reading(*s, value(*s));
        if (!edge.satisfies()) {
            return false;
        }
        if (edge.writes) {
            break;
        }
        s = steps_.follow(*s, edge);
    } while (s->in_iteration >= 2);
    return true;
}

/// Fills latest_ with the sources of the iteration that the thread is about to begin if it reads the latest writes. False: it fails then.
bool Explorer::find_latest_iteration(ThreadId t) {
    latest_.clear();
    return goes_through(step_of(t), [&](const Step& s) {
        track(s.location);
        latest_.push_back(graph_.location(s.location).coherence.back());
        return value_of(latest_.back());
    });
}

bool Explorer::goes_on_with(Step& first, const Value& v) {
    return goes_through(first, [&](const Step&) { return v; });
}

void Explorer::offer_iterations(ThreadId t) {
    const bool succeeds = find_latest_iteration(t);
    if (!succeeds) {
        learn_awaiting(step_of(t));
    }
    const EventId wait = threads_[t.index].at.waiting;
    find_iterations(t, graph_.size(), [&](std::size_t) { return brings_news(wait); });
    offer_found_iterations();
    if (!succeeds) {
        offer({.kind = Option::Kind::Postpone, .event = wait == kNoEvent ? kNoEvent : graph_[wait].source});
    }
}

void Explorer::offer_found_iterations() {
    for (std::size_t k = iterations_.size(); k-- > 0;) { // the latest first
        offer({.kind = Option::Kind::Iteration, .number = iterations_[k]});
    }
}

bool Explorer::add_iteration(ThreadId t, std::uint32_t number) {
    std::size_t position = words_[number];
    const std::uint32_t length = words_[number + 1];
    for (std::uint32_t k = 0; k < length; ++k, ++position) {
        HEDDLE_CHECK(k == 0 || is_in_iteration(t), "an iteration that ends early");
        const EventId source(words_[number + 2 + k]);
        if (source == kNoEvent) {
            add_fence(t, position);
        } else if (!add_read(t, source, position)) {
            return false;
        }
    }
    return true;
}

void Explorer::add_fence(ThreadId t, std::size_t position) {
    const Action& a = step_of(t).action;
    const EventId e =
        add({.kind = EventKind::Fence, .order = a.order, .fence = a.fence, .thread = t, .index = next_index(t)}, position, {});
    go_past(t, e);
}

// --- revisits ------------------------------------------------------------------------------------------------------------------------------

/// What an iteration would read if a write, about to be added, revisited it: ways through it by values alone. Each leads to what would be kept;
/// which of these iterations are consistent is found out when the rest has been cut away.
class Explorer::Ways {
  public:
    /// `taker`: see in_the_way.
    Ways(Explorer& explorer, const Pending& write, ConstClock prefix, EventId taker)
        : x_(explorer), write_(write), prefix_(prefix), taker_(taker),
          foresees_(explorer.options_asked_.tuning.foresee_iterations && explorer.model_->foresees_floors()) {}

    /// Calls `visit` with every different K of the iteration that begins with `first`, a clock that is valid during the call.
    void each(EventId first, FunctionRef<void(ConstClock kept)> visit) {
        first_ = first;
        visit_ = &visit;
        ways_ = 0;
        awaits_ = x_.awaits(first_step());
        meets_write_ = false;
        meets_stranger_ = false;
        x_.kept_before_.clear();
        if (foresees_) {
            const GraphEvent& read = x_.graph_[first];
            x_.way_known_.start(x_.model_->known(x_.graph_.at(read.thread, read.index - 1))); // a thread has a Begin
        }
        go_on(first_step());
        if (awaits_ && !first_step().awaits_one && meets_write_ && meets_stranger_) {
            x_.learn_waiting(x_.loop_of(first_step())); // see explorer_awaits.cpp
        }
    }

  private:
    [[nodiscard]] Step& first_step() const { return *x_.notes_[first_.index].before.step; }

    void go_on(Step& s) {
        if (++ways_ > kManyWays) {
            x_.learn_waiting(x_.loop_of(first_step()));
        }
        if (s.action.kind == ActionKind::Fence) {
            return follow(s, x_.steps_.having(s, {}));
        }
        if (s.pieces == 0) {
            if (x_.steps_.arrive_without_object(s)) {
                return end();
            }
            x_.locate(s);
        }
        if (s.pieces > 1) {
            return end();
        }
        if (awaits_) {
            x_.look_at_awaited(s);
        }
        const LocationId l = s.location;
        // What the thread knows to be overwritten when it begins, and by what it has read since, it knows after any cut: that is kept, or was there before.
        const std::size_t floor =
            foresees_ ? std::max(x_.model_->foreseen_floor(l, x_.way_known_.top()), x_.latest_read(l, x_.way_)) : 0;
        for (std::size_t rank = x_.graph_.location(l).coherence.size(); rank-- > floor;) {
            const EventId w =
                x_.graph_.location(l).coherence[rank]; // further on there may be new locations, and the list be elsewhere
            if (rank == 0 || !x_.model_->contains(x_.model_->prefix(w), first_)) { // else it needs this iteration
                meets_stranger_ = meets_stranger_ || (rank > 0 && is_younger(w) && !x_.model_->contains(prefix_, w));
                read(s, w, x_.value_of(w));
            }
        }
        if (l == write_.write.location) {
            meets_write_ = true;
            ++new_;
            read(s, kNoEvent, write_.value);
            --new_;
        }
    }

    /// Reads from `source`; none: the write that is about to be added.
    void read(Step& s, EventId source, const Value& v) {
        Edge& edge = x_.steps_.reading(s, v);
        if (!edge.satisfies()) {
            if (new_ > 0 && is_latest(source)) {
                x_.learn_awaiting(first_step());
                x_.way_.push_back(source); // it takes the chance away
                end();
                x_.way_.pop_back();
            }
            return;
        }
        x_.way_.push_back(source);
        if (edge.writes) {
            end();
        } else if (foresees_ && source != kNoEvent) {
            x_.way_known_.push();
            x_.model_->learn(x_.way_known_.top(), source, order_of_read(s.action, false));
            follow(s, edge);
            x_.way_known_.pop();
        } else {
            follow(s, edge);
        }
        x_.way_.pop_back();
    }

    void follow(Step& s, Edge& edge) {
        Step& next = *x_.steps_.follow(s, edge);
        next.in_iteration >= 2 ? go_on(next) : end();
    }

    /// Most ways do not read from the new write, so what is kept is put together only for those that do.
    void end() {
        if (new_ == 0 || !find_kept()) {
            return;
        }
        auto& before = x_.kept_before_; // one after the other
        const std::size_t width = x_.kept_.size();
        for (std::size_t k = 0; k < before.size(); k += width) {
            if (std::equal(x_.kept_.begin(), x_.kept_.end(), before.begin() + static_cast<std::ptrdiff_t>(k))) {
                return;
            }
        }
        before.insert(before.end(), x_.kept_.begin(), x_.kept_.end());
        (*visit_)(x_.kept_);
    }

    /// Kept is the prefix of the write and those of the sources that were not there before the iteration. False: the write would have no place.
    bool find_kept() {
        auto& kept = x_.kept_;
        kept.assign(prefix_.begin(), prefix_.end());
        for (const EventId source : x_.way_) {
            if (source != kNoEvent && is_younger(source)) {
                join(kept, x_.model_->prefix(source));
            }
        }
        return taker_ == kNoEvent || !x_.model_->contains(kept, taker_);
    }

    [[nodiscard]] bool is_younger(EventId w) const { return x_.graph_[w].stamp >= x_.graph_[first_].stamp; }

    /// Would the sources so far and this one be the latest writes of what is kept, with the new one the latest of its location?
    [[nodiscard]] bool is_latest(EventId last) {
        x_.way_.push_back(last);
        // Mostly something that was there before says no.
        const bool latest = are_latest([&](EventId w) { return !is_younger(w); }) && find_kept() &&
                            are_latest([&](EventId w) { return x_.model_->contains(x_.kept_, w); });
        x_.way_.pop_back();
        return latest;
    }

    /// Does none of these writes come after one of the sources?
    template <class F> [[nodiscard]] bool are_latest(F&& among) const {
        return std::ranges::all_of(x_.way_, [&](EventId source) {
            if (source == kNoEvent) {
                return true;
            }
            const GraphEvent& write = x_.graph_[source];
            const auto& co = x_.graph_.location(write.location).coherence;
            return write.location != write_.write.location && std::none_of(co.begin() + write.rank + 1, co.end(), among);
        });
    }

    Explorer& x_;
    const Pending& write_;
    ConstClock prefix_; ///< of the write
    EventId taker_;
    bool foresees_; ///< floors, as Foresight does
    EventId first_ = kNoEvent;
    FunctionRef<void(ConstClock)>* visit_ = nullptr;
    unsigned new_ = 0; ///< how many of the sources are the write
    unsigned ways_ = 0;
    bool awaits_ = false;         ///< the loop waits at its head
    bool meets_write_ = false;    ///< the iteration may come to the location of the write
    bool meets_stranger_ = false; ///< and to a write that came after the iteration and that the write knows nothing of
};

void Explorer::offer_revisits_of_iterations(const GraphEvent& write) {
    if (lessons_.whole.empty()) {
        return;
    }
    const ConstClock of_write = model_->prefix_before(write);
    write_prefix_.assign(of_write.begin(), of_write.end());
    const ConstClock prefix = write_prefix_;
    const EventId taker = in_the_way(write);
    if (taker != kNoEvent && model_->contains(prefix, taker)) {
        return;
    }
    const Pending pending = pending_write(write.thread);
    Ways ways(*this, pending, prefix, taker);
    way_.clear();
    const bool narrow = options_asked_.tuning.narrow_revisits;
    const std::size_t end = taker == kNoEvent ? graph_.size() : graph_[taker].stamp;
    stubborn_.clear();
    for (std::size_t k = graph_.size(); k-- > 0;) {
        const EventId e = graph_.order()[k];
        if (graph_[e].kind == EventKind::Wait || model_->contains(prefix, e)) {
            continue;
        }
        // What is never canonical must be kept. If it needs this iteration, it is not: what is kept does not.
        if (narrow && is_never_canonical(e)) {
            stubborn_.push_back(e);
        }
        if (k >= end || place_in_iteration(e) != 1 ||
            std::ranges::any_of(stubborn_, [&](EventId x) { return model_->contains(model_->prefix(x), e); })) {
            continue;
        }
        ways.each(e, [&](ConstClock kept) {
            if (!can_revisit(e, kept)) {
                return;
            }
            offer({.kind = Option::Kind::Revisit, .event = e, .number = static_cast<std::uint32_t>(words_.size())});
            words_.push_back(static_cast<std::uint32_t>(kept.size()));
            words_.insert(words_.end(), kept.begin(), kept.end());
        });
    }
}

/// Is `write` the one of these sources to come last? Those that nothing else of the iteration needs may come in several orders, of which one counts. First
/// come those that the latest writes of all that is kept make an iteration read: each of them makes the canonical iteration another one, and
/// whatever it does not need is cut away and comes after it. The others then come in the order of the search. If all are of the first kind, their
/// threads decide.
bool Explorer::comes_last(EventId write, std::size_t position) const {
    const auto is_new = [&](EventId s) { return s != kNoEvent && graph_[s].stamp > position; };
    const auto is_latest = [&](EventId s) { return std::ranges::find(latest_, s) != latest_.end(); };
    const auto is_needed = [&](EventId s) {
        return std::ranges::any_of(
            trial_, [&](EventId other) { return is_new(other) && other != s && model_->contains(model_->prefix(other), s); });
    };
    if (!is_latest(write)) {
        return true;
    }
    return std::ranges::all_of(trial_, [&](EventId s) {
        if (!is_new(s) || s == write || is_needed(s)) {
            return true;
        }
        return is_latest(s) && graph_[s].thread.index < graph_[write].thread.index;
    });
}

bool Explorer::find_revisited(ThreadId reader, EventId write, std::size_t position) {
    // Of the sources, one is the write, and together they need all that was kept.
    const auto reads_write = [&](const std::vector<EventId>& sources) {
        return std::ranges::find(sources, write) != sources.end();
    };
    pinned_wait_ = {};
    iterations_.clear();
    const bool one = step_of(reader).awaits_one;
    if (!find_latest_iteration(reader)) {
        learn_awaiting(step_of(reader));
        if (reads_write(latest_) && need_all(latest_, position)) {
            pinned_wait_ = {.kind = Option::Kind::Postpone, .event = write, .number = static_cast<std::uint32_t>(position + 1)};
        }
    }
    // If the write takes the chance away, what reads it is found by way of a Wait (explorer_awaits.cpp).
    const GraphEvent& w = graph_[write];
    if (!one || !takes_chance({.prefix = model_->prefix(write), .later = w.rank + 1, .value = value_of(write)}, w.location,
                              static_cast<std::uint32_t>(position + 1), step_of(reader))) {
        const EventId waited = threads_[reader.index].at.waiting;
        find_iterations(reader, position, [&](std::size_t end) {
            return reads_write(trial_) && comes_last(write, end) && need_all(trial_, end) && (!one || wakes(waited));
        });
    }
    if (iterations_.empty() && pinned_wait_.kind != Option::Kind::Postpone) {
        return false;
    }
    pinned_ = reader;
    return true;
}

bool Explorer::need_all(std::span<const EventId> sources, std::size_t position) {
    kept_.clear();
    for (const EventId source : sources) {
        if (source == kNoEvent || graph_[source].kind == EventKind::Init) {
            continue;
        }
        const ConstClock prefix = model_->prefix(source);
        kept_.resize(std::max(kept_.size(), prefix.size()));
        join(kept_, prefix);
    }
    return std::ranges::all_of(graph_.order().subspan(position),
                               [&](EventId e) { return graph_[e].kind == EventKind::Begin || model_->contains(kept_, e); });
}

} // namespace heddle

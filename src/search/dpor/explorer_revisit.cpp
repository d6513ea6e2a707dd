// Explorer: backward revisits.
#include "search/dpor/explorer.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle {

ConstClock Explorer::prefix_of_update(ThreadId t, EventId source) {
    if (!graph_.may_have_holes()) {
        return model_->prefix_before({.thread = t, .source = source}); // all of its thread
    }
    GraphEvent event = reads_there(t);
    event.order = order_of_read(step_of(t).action, true);
    event.source = source;
    const ConstClock of_read = model_->prefix_before(event);
    update_prefix_.assign(of_read.begin(), of_read.end());
    event.kind = EventKind::Write;
    event.index += 1;
    event.order = order_of_write(step_of(t).action);
    event.needs = needs_of(t, true);
    unite(update_prefix_, model_->prefix_before(event));
    return update_prefix_;
}

bool Explorer::stays(EventId id, ConstClock prefix, std::size_t position) const {
    const GraphEvent& e = graph_[id];
    if (e.stamp <= position) {
        return true;
    }
    switch (e.kind) {
    case EventKind::Wait:
        return false;
    case EventKind::Begin: // a thread is there as soon as it was spawned
        return e.source == kNoEvent || stays(e.source, prefix, position);
    default:
        return model_->contains(prefix, id);
    }
}

/// Is a write that comes after this rank in coherence in the prefix, or no younger than `stamp`?
bool Explorer::found_after(LocationId location, std::uint32_t rank, std::uint32_t stamp, ConstClock prefix) {
    const auto& co = graph_.location(location).coherence;
    if (co.size() - rank <= options_asked_.tuning.few_writes) {
        for (std::size_t k = rank + 1; k < co.size(); ++k) {
            if (graph_[co[k]].stamp <= stamp || model_->contains(prefix, co[k])) {
                return true;
            }
        }
        return false;
    }
    // A hot location is asked about again and again while one prefix is compared with all that is there.
    if (location.index >= later_.size()) {
        later_.resize(graph_.locations());
    }
    Later& later = later_[location.index];
    if (later.comparison != comparison_) {
        later.comparison = comparison_;
        later.last_in_prefix = static_cast<std::uint32_t>(co.size() - 1);
        while (!model_->contains(prefix, co[later.last_in_prefix])) {
            --later.last_in_prefix; // Init is in all
        }
        later.oldest.resize(co.size() + 1);
        later.oldest[co.size()] = ~0u;
        for (std::size_t k = co.size(); k-- > 0;) {
            later.oldest[k] = std::min(later.oldest[k + 1], graph_[co[k]].stamp);
        }
    }
    return later.last_in_prefix > rank || later.oldest[rank + 1] <= stamp;
}

/// Prev(e), the events that e found: those added before it, and the prefix of the write. Canonical is the choice that the latest write in
/// coherence among them makes.
bool Explorer::is_canonical(EventId id, ConstClock prefix) {
    const GraphEvent& e = graph_[id];
    const auto found = [&](EventId other) { return graph_[other].stamp <= e.stamp || model_->contains(prefix, other); };
    switch (e.kind) {
    case EventKind::Choose:
        return e.is_void() || notes_[id.index].value.lo == 0;
    case EventKind::Read:
    case EventKind::Write:
        break;
    default:
        // A Wait too. It decides nothing but that what was there then, whose latest write did not let the thread go on, was not read; what the thread
        // does when a later write lets it is decided at its next turn, by a read that is judged for itself. It may be that its turn has not come yet: a
        // lower thread went on with the same write. (If the Wait is there because a write took a chance away, that write has it for a reader, and is canonical
        // only if the Wait goes too.)
        return true;
    }
    const EventId chosen = e.is_read() ? e.source : id;
    if (!graph_[chosen].present || graph_[chosen].is_void() || !found(chosen)) {
        return false;
    }
    if (!model_->tracks_coherence(e.location)) {
        if (e.is_read() && !model_->is_latest(chosen, [&](EventId x) { return x != id && found(x); })) {
            return false;
        }
    } else if (e.update_read != kNoEvent) {
        // The write of an update has no choice of its own: it comes directly after what its read reads.
    } else if (found_after(e.location, graph_[chosen].rank, e.stamp, prefix)) {
        return false;
    }
    if (e.kind == EventKind::Write) {
        for (EventId r = e.first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            if (found(r) && (graph_[r].kind == EventKind::Wait || model_->needs_source_of(r))) {
                return false;
            }
        }
    }
    return true;
}

bool Explorer::can_revisit(EventId read, ConstClock prefix) {
    if (model_->contains(prefix, read)) {
        return false;
    }
    ++comparison_;
    const auto order = graph_.order();
    for (std::size_t k = order.size(); k >= graph_[read].stamp; --k) {
        const EventId e = order[k - 1];
        if (!stays(e, prefix, 0) && !is_canonical(e, prefix)) {
            return false;
        }
    }
    return true;
}

bool Explorer::is_never_canonical(EventId id) const {
    const GraphEvent& e = graph_[id];
    if (e.kind == EventKind::Choose) {
        return notes_[id.index].value.lo != 0;
    }
    if ((e.kind != EventKind::Read && e.kind != EventKind::Write) || !model_->tracks_coherence(e.location)) {
        return false;
    }
    const auto is_older = [&](EventId other) { return graph_[other].stamp < e.stamp; };
    if (e.kind == EventKind::Write) {
        for (EventId r = e.first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            if (is_older(r) && (graph_[r].kind == EventKind::Wait || model_->needs_source_of(r))) {
                return true;
            }
        }
    }
    const auto& co = graph_.location(e.location).coherence;
    return e.update_read == kNoEvent &&
           std::any_of(co.begin() + graph_[e.is_read() ? e.source : id].rank + 1, co.end(), is_older);
}

EventId Explorer::in_the_way(const GraphEvent& write) const {
    return write.update && options_asked_.tuning.foresee_updates ? graph_.taker(graph_[write.update_read].source) : kNoEvent;
}

/// In each thread what is not in the prefix are the last events, if there are no holes.
std::uint32_t Explorer::oldest_read_outside(ConstClock prefix, const GraphEvent& write) const {
    const std::span<const std::uint32_t> reads = graph_.location(write.location).reads_of;
    const bool holes = graph_.may_have_holes();
    std::uint32_t oldest = ~0u;
    if (!holes) { // those of each thread that are not in the prefix are its last
        const std::span<const EventId> first = graph_.location(write.location).first_read_of;
        const auto look_at = [&](std::uint32_t k) {
            if (k >= reads.size() || reads[k] == 0 || k == write.thread.index) {
                return;
            }
            const std::uint32_t known = k < prefix.size() ? prefix[k] : 0;
            const GraphEvent& first_read = graph_[first[k]];
            if (first_read.index >= known) {
                oldest = std::min(oldest, first_read.stamp);
                return;
            }
            if (reads[k] == 1) {
                return;
            }
            const auto thread = graph_.thread(ThreadId(k));
            for (std::size_t index = known; index < thread.size(); ++index) {
                const GraphEvent& e = graph_[thread[index]];
                if (e.is_read() && e.location == write.location) {
                    oldest = std::min(oldest, e.stamp);
                    return;
                }
            }
        };
        constexpr std::size_t kFew = 8; // are looked at sooner than passed over
        if (reads.size() <= kFew) {
            for (std::uint32_t k = 0; k < reads.size(); ++k) {
                look_at(k);
            }
        } else {
            for_each_beyond(graph_.lengths(), prefix, look_at);
        }
        return oldest;
    }
    for_each_beyond(graph_.lengths(), ConstClock{}, [&](std::uint32_t k) {
        if (k >= reads.size() || reads[k] == 0 || k == write.thread.index) {
            return;
        }
        const auto thread = graph_.thread(ThreadId(k));
        for (const EventId id : thread) {
            if (id == kNoEvent || model_->contains(prefix, id)) {
                continue;
            }
            const GraphEvent& e = graph_[id];
            if (e.is_read() && e.location == write.location) {
                oldest = std::min(oldest, e.stamp);
            }
        }
    });
    return oldest;
}

std::uint32_t Explorer::for_each_revisit(const GraphEvent& write, ConstClock prefix, std::uint32_t youngest,
                                         FunctionRef<bool(EventId)> visit) {
    const std::uint32_t oldest =
        options_asked_.tuning.narrow_revisits ? oldest_read_outside(prefix, write) : 1; // no need to look beyond
    return look_back(write, prefix, youngest, visit, static_cast<std::uint32_t>(graph_.size()), oldest);
}

std::uint32_t Explorer::look_back(const GraphEvent& write, ConstClock prefix, std::uint32_t youngest,
                                  FunctionRef<bool(EventId)> visit, std::uint32_t from, std::uint32_t oldest) {
    if (oldest > graph_.size()) {
        return ~0u;
    }
    // From the newest event back: the first that was not added canonically ends it, since all older reads would have to cut it away.
    ++comparison_;
    const auto order = graph_.order();
    for (std::uint32_t k = from; k >= oldest; --k) {
        const EventId e = order[k - 1];
        const GraphEvent& event = graph_[e];
        if (model_->contains(prefix, e) && event.kind != EventKind::Wait) {
            continue;
        }
        if (!is_canonical(e, prefix)) {
            return event.stamp;
        }
        if (event.is_read() && event.location == write.location && event.stamp <= youngest && place_in_iteration(e) == 0 &&
            visit(e)) {
            return 0;
        }
    }
    return oldest;
}

void Explorer::offer_revisits(const GraphEvent& write, bool last) {
    if (options_asked_.tuning.narrow_revisits && !graph_.location(write.location).has_other_reader(write.thread)) {
        return;
    }
    const ConstClock prefix = model_->prefix_before(write);
    if (model_->splits_updates() &&
        std::ranges::any_of(graph_.order(), [&](EventId e) { return graph_[e].is_void() && model_->contains(prefix, e); })) {
        return; // it would stay void for good
    }
    const EventId taker = in_the_way(write);
    const std::uint32_t youngest = taker == kNoEvent ? ~0u : model_->contains(prefix, taker) ? 0 : graph_[taker].stamp;
    if (last && options_asked_.equivalence == Equivalence::Rf) {
        return count_revisits(write, prefix, youngest);
    }
    for_each_revisit(write, prefix, youngest, [&](EventId read) {
        offer({.kind = Option::Kind::Revisit, .event = read});
        return false;
    });
}

bool Explorer::begin_revisit(std::size_t frame, const Option& revisit) {
    const EventId read = revisit.event;
    const ThreadId t = frames_[frame].thread;
    const std::size_t position = graph_[read].stamp - 1;
    pending_.push_back(pending_write(t));
    hopeless_run_ = {};
    const std::uint32_t kept = revisit.number;
    const ConstClock prefix =
        kept > 0 ? ConstClock(words_.data() + kept + 1, words_[kept]) : model_->prefix_before(pending_.back().write);
    const auto keeps = [&](EventId e) { return stays(e, prefix, position); };
    const std::size_t mark = displaced_.size();
    cut_marks_.push_back({mark, taken_back_.size()});
    const auto order = graph_.order();
    for (std::size_t k = position; k < order.size(); ++k) {
        const GraphEvent& goes = graph_[order[k]];
        // The thread stands at the first hole. (Of Waits and the read at one place, the oldest comes first here.)
        const ThreadId owner = goes.thread;
        Thread& thread = threads_[owner.index];
        const bool waits = goes.kind == EventKind::Wait;
        if (goes.index >= thread.at.index + (waits ? 1u : 0u) || keeps(order[k])) {
            continue; // it stands there or before, or this event stays
        }
        if (waits && resolution(goes) != kNoEvent && keeps(resolution(goes))) {
            continue; // a mark that no longer matters
        }
        const bool first = std::none_of(displaced_.begin() + static_cast<std::ptrdiff_t>(mark), displaced_.end(),
                                        [&](const Displaced& d) { return d.thread == owner; });
        if (first) {
            displaced_.push_back({owner, thread.at});
        } else if (goes.index == thread.at.index) {
            continue;
        }
        stand(owner, notes_[order[k].index].before);
    }
    for (std::size_t k = order.size(); k > position && (allocs_ > 0 || !frees_.empty()); --k) {
        const EventKind kind = graph_[order[k - 1]].kind;
        if ((kind == EventKind::Alloc || kind == EventKind::Free) && !keeps(order[k - 1])) {
            take_back(order[k - 1]);
            taken_back_.push_back(order[k - 1]);
        }
    }
    graph_.cut(position, keeps);
    frames_[frame].has_cut = true;
    const std::size_t first = options_.size();
    offer_places(pending_.back().write);
    push_frame(t, first);
    frames_.back().revisited = read;
    frames_.back().position = static_cast<std::uint32_t>(position);
    return advance();
}

void Explorer::end_revisit() {
    graph_.restore();
    pending_.pop_back();
    const CutMark mark = cut_marks_.back();
    cut_marks_.pop_back();
    for (; taken_back_.size() > mark.taken_back; taken_back_.pop_back()) {
        bring_back(taken_back_.back());
    }
    for (; displaced_.size() > mark.displaced; displaced_.pop_back()) {
        stand(displaced_.back().thread, displaced_.back().at);
    }
}

bool Explorer::place_and_revisit(std::size_t frame, std::uint32_t rank) {
    const EventId old_read = frames_[frame].revisited;
    const std::size_t position = frames_[frame].position;
    const ThreadId reader = graph_[old_read].thread;
    if (!add_write(pending_.back(), rank)) {
        return false;
    }
    const EventId write = added_.back();
    if (begins_iteration(step_of(reader))) {
        return find_revisited(reader, write, position);
    }
    if (!satisfies(step_of(reader), value_of(write))) { // where the cut left its thread
        // It has lost its chance. That matters when this is the latest write; otherwise the reader may as well have kept it.
        track(graph_[write].location);
        if (graph_.co_next(write) != kNoEvent) {
            return false;
        }
        add_wait(reader, write, position);
        return true;
    }
    const EventId waited = threads_[reader.index].at.waiting;
    const bool is_last = graph_.co_next(write) == kNoEvent; // then the floor cannot be later
    if ((waited != kNoEvent && !wakes(write, waited)) || (!is_last && rank < model_->floor(read_event(reader, write)))) {
        return false;
    }
    return add_read(reader, write, position);
}

void Explorer::take_back(EventId e) {
    if (graph_[e].kind == EventKind::Alloc) {
        memory_.forget(object_of(e));
        --allocs_;
    } else if (graph_[e].kind == EventKind::Free) {
        const auto it = frees_.find(object_of(e));
        std::erase(it->second, e);
        if (it->second.empty()) {
            frees_.erase(it);
        }
    }
}

void Explorer::bring_back(EventId e) {
    if (graph_[e].kind == EventKind::Alloc) {
        static_cast<void>(memory_.perform(notes_[e.index].before.step->action));
        ++allocs_;
    } else if (graph_[e].kind == EventKind::Free) {
        frees_[object_of(e)].push_back(e);
    }
}

} // namespace heddle

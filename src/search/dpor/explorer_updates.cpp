// Explorer: updates whose write what follows need not wait for (ARMv8; MemoryModel::splits_off).
//
// Such a write W may be cut away by a revisit that keeps its read R, because the write w that revisits needs R and not W. W has no choice of its own: its place is
// directly behind S, which R reads. So it may have none: another update has taken S, or there is a cycle. With most writes that cannot be, since the
// last place in coherence is always good; here it can, since the cycle may go through a read r that W waits for and R does not, and that w revisits
// later; or because the other update was added before R, when nothing was known of R, and w will cut it away. Were such a choice of R given up, the
// executions in which w has revisited would be missed.
//
// Hence, if W has no place, something *void* is added for it. It is needed by what W would be needed by, and needs what W needs. What grows from there
// is no execution: nothing is reported or counted. A revisit that cuts the void away and keeps R makes an execution of it; one that keeps the void is
// not made. Each execution has one way still: what is cut away must have been added canonically, and which of the two W is, there or
// void, follows from what was there when it was added.
//
// While R stands without W, others would find S not taken. So R's thread goes on first, until W is there again. If it cannot (it waits), the verdict says that
// executions may be missing.
//
// A read of the thread's own W is forwarded: it does not need W. So it may read what is void; W takes it over when it is back, as any write that comes back does.
//
// What is not done: W has a place when it is added, and a later event that w needs has none because of W, in an exploration in which r will be revisited by w. Then W
// should be void although it had a place. MemoryModel::left_out_by tells where that may be.
#include "search/conclude/conclude.hpp"
#include "search/dpor/explorer.hpp"

#include <algorithm>

namespace heddle {

bool Explorer::asks_and_is_admitted(EventId e) {
    if (model_->admits(e)) {
        return true;
    }
    const EventId update = model_->splits_updates() ? model_->left_out_by(e) : kNoEvent;
    if (update != kNoEvent) {
        assume_in_one_piece(update);
    }
    return false;
}

void Explorer::assume_in_one_piece(EventId update) {
    assume({.kind = std::string(kUpdateInOnePiece),
            .place = place_of(update),
            .detail = "what follows this update, and on ARMv8 may be seen before its store, is taken not to be"});
}

EventId Explorer::unfinished_update(ThreadId t) {
    const auto own = graph_.thread(t);
    for (std::size_t k = next_index(t); k < own.size(); ++k) {
        if (own[k] == kNoEvent || !graph_[own[k]].is_read() || !graph_[own[k]].update ||
            graph_.at(t, static_cast<std::uint32_t>(k) + 1) != kNoEvent) {
            continue;
        }
        const Note& note = notes_[own[k].index];
        if (steps_.reading(*note.before.step, note.value).writes) {
            return own[k];
        }
    }
    return kNoEvent;
}

/// May another way of S being taken matter? Only if that update can be cut away, its read having been added canonically as far as is known.
bool Explorer::may_be_void(ThreadId t, EventId source, EventId taker) {
    if (!model_->splits_updates()) {
        return false;
    }
    const EventId other = graph_[taker].update_read;
    GraphEvent read = reads_there(t);
    read.order = order_of_read(step_of(t).action, true);
    read.source = source;
    const ConstClock prefix = model_->prefix_before(read);
    ++comparison_;
    return !model_->contains(prefix, other) && !found_after(read.location, graph_[source].rank, graph_[other].stamp, prefix);
}

/// What is void may be forwarded to the next reads of its thread, as the write that it stands for may: the last of the thread's accesses to the location
/// that is not a read of it.
EventId Explorer::forwarding_void(ThreadId t) {
    if (!model_->splits_updates()) {
        return kNoEvent;
    }
    const GraphEvent read = reads_there(t);
    for (std::uint32_t k = read.index; k-- > 0;) {
        const EventId id = graph_.at(t, k);
        if (id == kNoEvent || graph_[id].location != read.location) {
            continue;
        }
        const GraphEvent& e = graph_[id];
        if (e.is_void() ||
            (e.is_read() && graph_[e.source].present && graph_[e.source].is_void() && graph_[e.source].index < k)) {
            const EventId source = e.is_void() ? id : e.source;
            const Order order = read_event(t, source).order;
            const bool acquires = order == Order::Acquire || order == Order::AcquirePc || order == Order::SeqCst;
            return acquires ? kNoEvent : source; // what acquires the write of an update waits for it
        }
        if (e.is_access()) {
            break;
        }
    }
    return kNoEvent;
}

/// Could a revisit let the write have a place, whose update's read stays? It cuts a read away that the update's read does not need and that was added canonically as
/// far as is known (more will be in the prefix of the write that revisits): if another update has taken the place, no later one than that update's
/// read; otherwise one that the write waits for.
bool Explorer::may_be_filled(const GraphEvent& write) {
    const GraphEvent& read = graph_[write.update_read];
    const EventId taker = graph_.taker(read.source);
    const ConstClock needed = model_->prefix(write.update_read);
    const ConstClock of_write = model_->prefix_before(write);
    const std::vector<std::uint32_t> waits_for(of_write.begin(), of_write.end());
    ++comparison_;
    return std::ranges::any_of(graph_.order(), [&](EventId r) {
        const GraphEvent& e = graph_[r];
        return e.is_read() && !model_->contains(needed, r) && graph_[e.source].present && !graph_[e.source].is_void() &&
               (taker == kNoEvent ? model_->contains(waits_for, r) : e.stamp <= graph_[graph_[taker].update_read].stamp) &&
               !found_after(e.location, graph_[e.source].rank, e.stamp, needed);
    });
}

bool Explorer::add_void(ThreadId t) {
    Pending pending = pending_write(t);
    const EventId source = graph_[pending.write.update_read].source;
    if (graph_.taker(source) == kNoEvent && !graph_[source].is_void()) {
        const std::size_t before = added_.size();
        pending.write.rank = graph_[source].rank + 1;
        const bool has_place = model_->admits(add(pending.write, graph_.size(), pending.value, pending.before));
        remove_added(before);
        if (has_place) {
            return false;
        }
    }
    if (options_asked_.tuning.foresee_updates && !may_be_filled(pending.write)) {
        return false;
    }
    GraphEvent event = pending.write;
    event.kind = EventKind::Choose;
    event.update_read = kNoEvent;
    event.rank = 0;
    go_on(t, add(event, graph_.size(), pending.value, pending.before));
    return true;
}

bool Explorer::is_doomed() const {
    return model_->splits_updates() && std::ranges::any_of(graph_.order(), [&](EventId e) { return graph_[e].is_void(); });
}

} // namespace heddle

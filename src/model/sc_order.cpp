#include "model/sc_order.hpp"

namespace heddle {

/// po≠loc ; hb ; po≠loc.
void ScOrder::follow_happens_before(EventId id, EventId previous, Clock row) {
    const GraphEvent& e = graph_[id];
    // The last event before `e` elsewhere; what happens before an earlier one happens before it.
    const EventId last = elsewhere(id);
    if (last == kNoEvent || (previous != kNoEvent && elsewhere(previous) == last)) {
        return; // or the access before it has all of it: the two halves of an update
    }
    const ConstClock known = hb_.row(last);
    const EventId followed = previous == kNoEvent ? kNoEvent : elsewhere(previous);
    const ConstClock known_before = followed == kNoEvent ? ConstClock{} : hb_.row(followed);
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        if (known[t] < 2 || (!known_before.empty() && known[t] == known_before[t]) || t == e.thread.index) {
            continue; // nothing of that thread, or nothing that the access before it does not have
        }
        // The last access from which program order leads to an event elsewhere that is known. If the last known events are of one
        // location, those among them have none such; the access before them has.
        const auto thread = graph_.thread(ThreadId(t));
        const EventId end = thread[known[t] - 1];
        EventId x = last_access_[thread[known[t] - 2].index];
        if (x != kNoEvent && same_location(graph_[x], graph_[end])) {
            const EventId before = elsewhere(end);
            if (before == kNoEvent || graph_[before].index < graph_[x].index) {
                x = before == kNoEvent ? kNoEvent : last_access_[before.index];
            }
        }
        if (x != kNoEvent) {
            come_after(row, x);
        }
    }
}

/// hb at one location, to a read: co and fr lead to writes only. The seq_cst accesses of a thread are a chain, so the last of them that is of this location brings
/// the others. Not looked at: what the row has (the access before it in the thread and all that comes before that one), and what happens before that access if it is of this
/// location too. So a run of reads of one location passes over each access of another thread once.
void ScOrder::follow_location(EventId id, EventId previous, Clock row) {
    const GraphEvent& e = graph_[id];
    const bool goes_on = previous != kNoEvent && same_location(e, graph_[previous]);
    const ConstClock known = hb_.row(id);
    const ConstClock known_before = goes_on ? hb_.row(previous) : ConstClock{};
    for_each_beyond(known, known_before, [&](std::uint32_t t) {
        const std::uint32_t from = std::max(row[t], goes_on ? known_before[t] : 0);
        const auto thread = graph_.thread(ThreadId(t));
        for (std::uint32_t count = known[t]; count > from && t != e.thread.index;) {
            const EventId x = last_access_[thread[count - 1].index];
            count = x == kNoEvent ? 0 : graph_[x].index;
            if (count >= from && x != kNoEvent && same_location(e, graph_[x])) {
                come_after(row, x);
                return;
            }
        }
    });
}

/// co and fr, to a write. A seq_cst write that comes before it brings all that is before that one in coherence.
void ScOrder::follow_coherence(EventId id, Clock row) {
    const GraphEvent& e = graph_[id];
    const auto& co = graph_.location(e.location).coherence;
    for (std::uint32_t rank = e.rank; rank-- > 0;) {
        const EventId w = co[rank];
        graph_.for_each_reader(w, [&](EventId r) {
            if (is_sc_access(r)) {
                come_after(row, r);
            }
        });
        if (graph_[w].kind == EventKind::Write && is_sc_access(w)) {
            come_after(row, w);
            return;
        }
    }
}

EventId ScOrder::target(const GraphEvent& e) const {
    const auto& co = graph_.location(e.location).coherence;
    for (std::size_t rank = (e.is_read() ? graph_[e.source].rank : e.rank) + 1; rank < co.size(); ++rank) {
        if (is_sc_access(co[rank])) {
            return co[rank];
        }
    }
    return kNoEvent;
}

EventId ScOrder::elsewhere(EventId id) const {
    for (EventId at = id;;) {
        if (elsewhere_[at.index] != kNotAsked) {
            return elsewhere_[at.index];
        }
        const GraphEvent& e = graph_[at];
        const EventId previous = e.index == 0 ? kNoEvent : graph_.thread(e.thread)[e.index - 1];
        if (previous == kNoEvent || !same_location(e, graph_[previous])) {
            return previous;
        }
        at = previous;
    }
}

bool ScOrder::put(EventId id) {
    const GraphEvent& e = graph_[id];
    if (e.kind == EventKind::Wait) {
        return true;
    }
    if (elsewhere_.size() < graph_.slots()) {
        last_access_.resize(graph_.slots() * 2);
        elsewhere_.resize(graph_.slots() * 2, kNotAsked);
    }
    const EventId previous = e.index == 0 ? kNoEvent : graph_.thread(e.thread)[e.index - 1];
    elsewhere_[id.index] = previous != kNoEvent && same_location(e, graph_[previous]) ? elsewhere(previous) : previous;
    order_.make_room(graph_, graph_.threads());
    const EventId last = previous == kNoEvent ? kNoEvent : last_access_[previous.index];
    if (!is_sc_access(id)) {
        last_access_[id.index] = last;
        return true;
    }
    last_access_[id.index] = id;
    order_.begin(id, last);
    const Clock row = order_.row(id);
    follow_happens_before(id, last, row);
    if (e.is_read()) {
        follow_location(id, last, row);
    } else {
        follow_coherence(id, row);
    }
    row[e.thread.index] = e.index + 1;
    const EventId later = target(e);
    if (later == kNoEvent) {
        return true;
    }
    const auto is_after = [&](EventId x) { return order_.row(x)[graph_[later].thread.index] > graph_[later].index; };
    if (is_after(id)) {
        return false;
    }
    // In each thread those that come after `later` are the last.
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        const EventId end = graph_.last(ThreadId(t));
        for (EventId x = end == kNoEvent ? kNoEvent : last_access_[end.index]; x != kNoEvent && (x == id || is_after(x));) {
            if (x != id) {
                order_.put_before(id, x);
            }
            const std::uint32_t index = graph_[x].index;
            x = index == 0 ? kNoEvent : last_access_[graph_.thread(ThreadId(t))[index - 1].index];
        }
    }
    return true;
}

} // namespace heddle

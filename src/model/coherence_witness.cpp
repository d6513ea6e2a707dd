#include "model/coherence_witness.hpp"

#include <algorithm>

namespace heddle {

bool CoherenceWitness::holds() {
    follow();
    return fitting_ == entries_.size();
}

EventId CoherenceWitness::latest(LocationId location, const std::function<bool(EventId)>& included) {
    if (!holds()) {
        return kNoEvent;
    }
    const auto& co = coherence_[location.index];
    const auto last = std::find_if(co.rbegin(), co.rend(), included);
    return last == co.rend() ? graph_.location(location).init : *last;
}

void CoherenceWitness::include(EventId e) {
    if (fitting_ + 1 < entries_.size()) {
        return;
    }
    coherence_.resize(graph_.locations());
    order_.add(e);
    const GraphEvent& event = graph_[e];
    const bool fits = event.is_read() ? fits_read(e) : event.kind != EventKind::Write || fits_write(e);
    if (fits) {
        ++fitting_;
    } else {
        order_.undo(e);
    }
}

void CoherenceWitness::take_back(const Entry& entry) {
    if (fitting_ < entries_.size()) {
        return;
    }
    --fitting_;
    order_.undo(entry.event);
    if (entry.kind == EventKind::Write) {
        std::erase(coherence_[entry.location.index], entry.event);
    }
}

bool CoherenceWitness::put_before(EventId e, EventId later) {
    if (order_.at_or_before(later, e)) {
        return false;
    }
    order_.put_before(e, later, e);
    return true;
}

bool CoherenceWitness::fits_write(EventId write) {
    const GraphEvent& e = graph_[write];
    auto& co = coherence_[e.location.index];
    const auto later = std::ranges::upper_bound(co, place(write), {}, [&](EventId w) { return place(w); });
    const EventId earlier = later == co.begin() ? graph_.location(e.location).init : *(later - 1);
    // An update stands right behind its source.
    const auto updates = [&](EventId update, EventId source) {
        const EventId read = graph_[update].update_read;
        return read != kNoEvent && graph_[read].source == source;
    };
    if ((e.update_read != kNoEvent && !updates(write, earlier)) || (later != co.end() && updates(*later, earlier))) {
        return false;
    }
    if (later != co.begin()) {
        order_.come_after(write, earlier);
    }
    for_each_read_of(earlier, [&](EventId r) { order_.come_after(write, r); });
    if (later != co.end() && !put_before(write, *later)) {
        return false;
    }
    co.insert(later, write);
    return true;
}

bool CoherenceWitness::fits_read(EventId read) {
    const GraphEvent& e = graph_[read];
    const auto& co = coherence_[e.location.index];
    const auto later = graph_[e.source].kind == EventKind::Init ? co.begin() : std::ranges::find(co, e.source) + 1;
    // Each location by itself is in order, whatever a buffer holds back.
    const auto is_own = [&](EventId w) { return graph_[w].thread == e.thread && graph_[w].index < e.index; };
    return std::none_of(later, co.end(), is_own) && (later == co.end() || put_before(read, *later));
}

} // namespace heddle

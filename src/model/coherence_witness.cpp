#include "model/coherence_witness.hpp"

#include <algorithm>
#include <numeric>

namespace heddle {

void CoherenceWitness::start(const GlobalOrder& order) {
    order_.start(order);
    coherence_.resize(graph_.locations());
    // Of two writes in order the later has more before it.
    const auto place = [&](EventId w) {
        const ConstClock row = order_.row(w);
        return std::accumulate(row.begin(), row.end(), std::uint64_t{0});
    };
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        const auto& co = graph_.location(LocationId(l)).coherence;
        coherence_[l].assign(co.begin() + 1, co.end());
        if (coherence_[l].size() > 1 && !is_given_(LocationId(l))) {
            std::ranges::sort(coherence_[l], {}, place);
        }
    }
}

EventId CoherenceWitness::latest(LocationId location, EventTest included) const {
    const auto& co = is_given_(location) ? graph_.location(location).coherence : coherence_[location.index];
    const auto last = std::find_if(co.rbegin(), co.rend(), [&](EventId w) { return graph_[w].present && included(w); });
    return last == co.rend() ? graph_.location(location).init : *last;
}

bool CoherenceWitness::add(EventId e) {
    order_.add(e);
    const GraphEvent& event = graph_[e];
    const bool fits = event.is_read() ? fits_read(e) : event.kind != EventKind::Write || fits_write(e);
    if (!fits) {
        order_.undo(e);
    }
    return fits;
}

void CoherenceWitness::remove(EventId e) {
    order_.undo(e);
    if (graph_[e].kind == EventKind::Write && !is_given_(graph_[e].location)) {
        auto& co = coherence_[graph_[e].location.index];
        co.erase(std::find(co.rbegin(), co.rend(), e).base() - 1); // mostly the last
    }
}

bool CoherenceWitness::put_before(EventId e, EventId later) {
    if (order_.at_or_before(later, e)) {
        return false;
    }
    order_.put_before(e, later, e);
    return true;
}

std::span<const EventId> CoherenceWitness::after(EventId write) const {
    const GraphEvent& e = graph_[write];
    if (is_given_(e.location)) {
        return std::span(graph_.location(e.location).coherence).subspan(e.rank + 1);
    }
    const std::vector<EventId>& co = coherence_[e.location.index];
    if (e.kind == EventKind::Init) {
        return co;
    }
    return {std::find(co.rbegin(), co.rend(), write).base(), co.end()}; // mostly the last
}

bool CoherenceWitness::fits_write(EventId write) {
    const GraphEvent& e = graph_[write];
    const bool given = is_given_(e.location);
    if (!given && coherence_.size() <= e.location.index) {
        coherence_.resize(graph_.locations());
    }
    // An update stands right behind its source; otherwise what is new comes last.
    EventId earlier = graph_.location(e.location).init;
    if (given) {
        earlier = graph_.location(e.location).coherence[e.rank - 1];
    } else if (e.update_read != kNoEvent) {
        earlier = graph_[e.update_read].source;
    } else {
        const auto& co = coherence_[e.location.index];
        const auto last = std::find_if(co.rbegin(), co.rend(), [&](EventId w) { return graph_[w].present; });
        earlier = last == co.rend() ? earlier : *last;
    }
    const auto rest = after(given ? write : earlier);
    const auto next = std::ranges::find_if(rest, [&](EventId w) { return graph_[w].present; });
    const EventId later = next == rest.end() ? kNoEvent : *next;
    const auto updates = [&](EventId update, EventId source) {
        const EventId read = graph_[update].update_read;
        return read != kNoEvent && graph_[read].source == source;
    };
    if ((e.update_read != kNoEvent && !updates(write, earlier)) || (later != kNoEvent && updates(later, earlier))) {
        return false;
    }
    if (graph_[earlier].kind == EventKind::Write) {
        order_.come_after(write, earlier);
    }
    graph_.for_each_reader(earlier, [&](EventId r) {
        if (graph_[r].is_read()) {
            order_.come_after(write, r);
        }
    });
    if (later != kNoEvent && !put_before(write, later)) {
        return false;
    }
    if (!given) {
        auto& co = coherence_[e.location.index];
        co.insert(co.end() - static_cast<std::ptrdiff_t>(rest.size()), write);
    }
    return true;
}

bool CoherenceWitness::fits_read(EventId read) {
    const GraphEvent& e = graph_[read];
    if (coherence_.size() <= e.location.index) {
        coherence_.resize(graph_.locations());
    }
    const auto rest = after(e.source);
    // Each location by itself is in order, whatever a buffer holds back.
    const auto is_own = [&](EventId w) { return graph_[w].present && graph_[w].thread == e.thread && graph_[w].index < e.index; };
    if (buffer_ != Buffer::None && std::ranges::any_of(rest, is_own)) {
        return false;
    }
    const auto next = std::ranges::find_if(rest, [&](EventId w) { return graph_[w].present; });
    return next == rest.end() || put_before(read, *next);
}

} // namespace heddle

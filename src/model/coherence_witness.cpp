#include "model/coherence_witness.hpp"

#include "model/psc_coherence.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace heddle {

void GlobalWitness::start(const GlobalOrder& order) {
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
    begin(e);
    const GraphEvent& event = graph_[e];
    const bool fits = event.is_read() ? fits_read(e) : event.kind != EventKind::Write || fits_write(e);
    if (!fits) {
        undo(e);
    }
    return fits;
}

void CoherenceWitness::remove(EventId e) {
    undo(e);
    if (graph_[e].kind == EventKind::Write && !is_given_(graph_[e].location)) {
        auto& co = coherence_[graph_[e].location.index];
        co.erase(std::find(co.rbegin(), co.rend(), e).base() - 1); // mostly the last
    }
}

bool GlobalWitness::put_before(EventId e, EventId later) {
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
    if (!fits_between(earlier, write, later)) {
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
    const auto next = std::ranges::find_if(rest, [&](EventId w) { return graph_[w].present; });
    return fits_before(read, next == rest.end() ? kNoEvent : *next, rest);
}

bool GlobalWitness::fits_between(EventId earlier, EventId write, EventId later) {
    if (graph_[earlier].kind == EventKind::Write) {
        order_.come_after(write, earlier);
    }
    graph_.for_each_reader(earlier, [&](EventId r) {
        if (graph_[r].is_read()) {
            order_.come_after(write, r);
        }
    });
    return later == kNoEvent || put_before(write, later);
}

bool GlobalWitness::fits_before(EventId read, EventId next, std::span<const EventId> rest) {
    const GraphEvent& e = graph_[read];
    // Each location by itself is in order, whatever a buffer holds back.
    const auto is_own = [&](EventId w) { return graph_[w].present && graph_[w].thread == e.thread && graph_[w].index < e.index; };
    if (buffer_ != Buffer::None && std::ranges::any_of(rest, is_own)) {
        return false;
    }
    return next == kNoEvent || put_before(read, next);
}

void Rc11Witness::start(PscCoherence& found) {
    coherence_.resize(graph_.locations());
    for (auto& co : coherence_) {
        co.clear();
    }
    found.for_each_location(
        [&](LocationId l, std::span<const EventId> co) { coherence_[l.index].assign(co.begin() + 1, co.end()); });
}

void Rc11Witness::start(const CoherenceWitness* witness, LocationId location, std::uint64_t moved) {
    coherence_.resize(graph_.locations());
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        auto& co = coherence_[l];
        co.clear();
        const auto& in_graph = graph_.location(LocationId(l)).coherence;
        if (in_graph.size() == 1 || is_given_(LocationId(l))) {
            continue;
        }
        const auto from = witness ? witness->coherence(LocationId(l)) : std::span(in_graph).subspan(1);
        for (const bool last : {false, true}) {
            std::ranges::copy_if(from, std::back_inserter(co), [&](EventId w) {
                return graph_[w].present && (l == location.index && (moved >> graph_[w].rank & 1) != 0) == last;
            });
        }
    }
}

/// Where an update or a given place is not the last, nothing behind it is known: the floor of the read, or of the place, has seen to that.
bool Rc11Witness::fits_between(EventId, EventId write, EventId later) {
    return later == kNoEvent || (seq_cst_fences_ == 0 && !graph_[write].is_seq_cst());
}

/// Nothing that comes after the source may be known. An edge of psc goes from the read, or from a fence before it, to what is seq_cst behind the source, or to a fence after that.
bool Rc11Witness::fits_before(EventId read, EventId next, std::span<const EventId> rest) {
    const GraphEvent& e = graph_[read];
    if (next == kNoEvent) {
        return true;
    }
    if (seq_cst_fences_ > 0 || e.index == 0) {
        return false;
    }
    const ConstClock known = hb_.row(graph_.thread(e.thread)[e.index - 1]);
    return std::ranges::none_of(rest, [&](EventId w) {
        if (!graph_[w].present) {
            return false;
        }
        bool is_known = hb_.contains(known, w) || (e.is_seq_cst() && graph_[w].is_seq_cst());
        for (EventId r = graph_[w].first_reader; r != kNoEvent && !is_known; r = graph_[r].next_reader) {
            is_known = graph_[r].is_read() && hb_.contains(known, r);
        }
        return is_known;
    });
}

} // namespace heddle

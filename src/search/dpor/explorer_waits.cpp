// Explorer: chances that writes take away from threads that wait. See explorer.hpp.
#include "search/dpor/explorer.hpp"

namespace heddle {

bool Explorer::takes_chance(const Candidate& u, EventId mark) {
    const GraphEvent& await = graph_[mark];
    return !(await.is_read() && model_->contains(u.prefix, mark)) &&
           takes_chance(u, await.location, await.stamp, *notes_[mark.index].before.step);
}

bool Explorer::takes_chance(const Candidate& u, LocationId location, std::uint32_t stamp, Step& s) {
    const auto& co = graph_.location(location).coherence;
    for (std::size_t rank = u.later; rank < co.size(); ++rank) {
        if (graph_[co[rank]].stamp < stamp || model_->contains(u.prefix, co[rank])) {
            return false;
        }
    }
    return s.awaits_one ? !goes_on_with(s, u.value) : !satisfies(s, u.value);
}

bool Explorer::takes_chance(EventId u, EventId mark) {
    const GraphEvent& write = graph_[u];
    return write.stamp > graph_[mark].stamp &&
           takes_chance({.prefix = model_->prefix(u), .later = write.rank + 1, .value = value_of(u)}, mark);
}

EventId Explorer::origin(EventId wait) const {
    const EventId because = graph_[wait].source;
    while (because != kNoEvent && graph_[wait].stamp > graph_[because].stamp) {
        wait = notes_[wait.index].before.waiting;
    }
    return wait;
}

bool Explorer::is_settled(EventId read) const {
    for (const EventId id : graph_.order().first(graph_[read].stamp - 1)) {
        const GraphEvent& e = graph_[id];
        if ((e.is_read() || e.kind == EventKind::Wait) && e.source != kNoEvent && graph_[e.source].stamp > graph_[read].stamp &&
            (e.kind == EventKind::Wait || model_->needs_source_of(id)) && model_->contains(model_->prefix(e.source), read)) {
            return true;
        }
    }
    return false;
}

bool Explorer::takes_chance_of_reader(const Candidate& u, LocationId location) {
    const auto& co = graph_.location(location).coherence;
    for (std::size_t rank = u.later; rank < co.size(); ++rank) {
        const GraphEvent& write = graph_[co[rank]];
        for (EventId r = write.first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            const GraphEvent& reader = graph_[r];
            const Step& s = *notes_[r.index].before.step;
            if (reader.stamp > write.stamp || !s.may_wait || (s.in_iteration > 0 && !s.awaits_one)) {
                continue; // an iteration of several locations that is done as a whole does not wait like this
            }
            const EventId mark = mark_of(r);
            if (takes_chance(u, mark) && (reader.kind == EventKind::Wait || !is_settled(mark))) {
                return true;
            }
        }
    }
    return false;
}

bool Explorer::wakes(EventId w, EventId wait) {
    const EventId because = graph_[wait].source;
    if (because == kNoEvent || graph_[because].rank < graph_[w].rank || model_->contains(model_->prefix(w), because)) {
        return true;
    }
    const EventId mark = origin(wait);
    for (const EventId u : graph_.location(graph_[w].location).coherence) {
        if (model_->contains(model_->prefix(w), u) && takes_chance(u, mark)) {
            return true;
        }
    }
    return false;
}

} // namespace heddle

#include "property/races.hpp"

namespace heddle {

void races_with(const ExecutionGraph& graph, const HappensBefore& hb, EventId e, std::vector<EventId>& found) {
    found.clear();
    const GraphEvent& access = graph[e];
    const Location& location = graph.location(access.location);
    // Accesses that are all atomic, or all one thread's, never race.
    if (location.plain == 0 ||
        (!location.has_other_writer(access.thread) && (access.is_read() || !location.has_other_reader(access.thread)))) {
        return;
    }
    const auto races = [&](EventId x) {
        const GraphEvent& other = graph[x];
        return other.thread != access.thread && (access.order == Order::NonAtomic || other.order == Order::NonAtomic) &&
               !hb.at_or_before(x, e) && !hb.at_or_before(e, x);
    };
    for (const EventId w : location.coherence) {
        if (graph[w].kind == EventKind::Write && races(w)) {
            found.push_back(w);
        }
        if (access.is_read()) {
            continue; // two reads do not conflict
        }
        for (EventId r = graph[w].first_reader; r != kNoEvent; r = graph[r].next_reader) {
            if (graph[r].is_read() && races(r)) {
                found.push_back(r);
            }
        }
    }
}

} // namespace heddle

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
    constexpr std::uint32_t kFew = 16;
    if (location.reads + location.writes > kFew) {
        // Of each thread what does not happen before `e` are the last events.
        const ConstClock known = hb.row(e);
        for (std::uint32_t t = 0; t < graph.threads(); ++t) {
            const bool conflicts = (t < location.writes_of.size() && location.writes_of[t] > 0) ||
                                   (!access.is_read() && t < location.reads_of.size() && location.reads_of[t] > 0);
            const auto thread = graph.thread(ThreadId(t));
            for (std::size_t k = known[t]; conflicts && k < thread.size(); ++k) {
                const GraphEvent& other = graph[thread[k]];
                if (other.is_access() && other.location == access.location && !(access.is_read() && other.is_read()) &&
                    races(thread[k])) {
                    found.push_back(thread[k]);
                }
            }
        }
        return;
    }
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

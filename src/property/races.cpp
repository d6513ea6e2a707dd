#include "property/races.hpp"

#include <fmt/format.h>

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
    // Of each thread what does not happen before `e` are the last events.
    const ConstClock known = hb.row(e);
    for_each_beyond(graph.lengths(), known, [&](std::uint32_t t) {
        const bool conflicts = (t < location.writes_of.size() && location.writes_of[t] > 0) ||
                               (!access.is_read() && t < location.reads_of.size() && location.reads_of[t] > 0);
        if (!conflicts || t == access.thread.index) {
            return;
        }
        const auto thread = graph.thread(ThreadId(t));
        for (std::size_t k = known[t]; k < thread.size(); ++k) {
            const GraphEvent& other = graph[thread[k]];
            const bool both_read = access.is_read() && other.is_read();
            const bool plain = access.order == Order::NonAtomic || other.order == Order::NonAtomic;
            if (same_location(access, other) && !both_read && plain && !hb.at_or_before(e, thread[k])) {
                found.push_back(thread[k]);
            }
        }
    });
}

std::string race_text(const Racer& later, const Racer& earlier, const std::string& name, const std::string& place_of_earlier) {
    const auto what = [](const Racer& r) {
        return fmt::format("{}{} by thread {}", r.atomic ? "atomic " : "", r.reads ? "read" : "write", r.thread.index);
    };
    return fmt::format("{} of {} and {} at {} are not ordered", what(later), name, what(earlier), place_of_earlier);
}

} // namespace heddle

// Data races: two conflicting accesses of different threads, at least one of them not atomic, that happens-before does not order.
#pragma once

#include "graph/execution_graph.hpp"
#include "model/happens_before.hpp"

#include <string>
#include <vector>

namespace heddle {

/// Fills `found` with the accesses that race with `e`, a Read or Write that was added last. (Any pair is seen when its later one is added: what
/// happens before an event never changes.)
void races_with(const ExecutionGraph& graph, const HappensBefore& hb, EventId e, std::vector<EventId>& found);

/// One of the two accesses, as it is told.
struct Racer {
    ThreadId thread;
    bool atomic = false;
    bool reads = false; ///< else it writes
};
std::string race_text(const Racer& later, const Racer& earlier, const std::string& name, const std::string& place_of_earlier);

} // namespace heddle

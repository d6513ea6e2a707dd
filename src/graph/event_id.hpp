// The names of events and locations in an ExecutionGraph.
#pragma once

#include "support/ids.hpp"

namespace heddle {

using EventId = Id<struct EventTag>;       ///< a slot of an ExecutionGraph, used again once the event is gone; see kNoEvent
using LocationId = Id<struct LocationTag>; ///< into ExecutionGraph::locations

/// Slot 0 is never an event: what a link holds when it leads nowhere.
inline constexpr EventId kNoEvent{0};

} // namespace heddle

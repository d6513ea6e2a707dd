// HappensBefore: the happens-before of C11 and C++20: program order, thread creation and joining, and synchronises-with.
//
// A row never changes once its event is there: what happens before an event is decided by its prefix. A write carries a *message*: what
// an acquire that reads it learns. For a release write that is all that happens before it, for another atomic write what happened before
// the last release fence of its thread; an update adds the message of the write it updates (the release sequence of C++20, (rf ; rmw)*).
#pragma once

#include "graph/clocks.hpp"
#include "graph/execution_graph.hpp"

#include <vector>

namespace heddle {

class HappensBefore {
  public:
    explicit HappensBefore(const ExecutionGraph& graph) : graph_(graph) {}

    void added(EventId e);

    /// All that happens before `e`, and `e`: how many of each thread's events.
    [[nodiscard]] ConstClock row(EventId e) const { return hb_.row(e); }
    /// What an acquire learns that reads from this write, which is not an initial one.
    [[nodiscard]] ConstClock message(EventId write) const { return message_.row(write); }
    /// Does `a` happen before `b`, or are they the same?
    [[nodiscard]] bool at_or_before(EventId a, EventId b) const { return contains(hb_.row(b), a); }
    [[nodiscard]] bool contains(ConstClock row, EventId e) const {
        const GraphEvent& event = graph_[e];
        return event.kind == EventKind::Init || row[event.thread.index] > event.index;
    }

  private:
    void acquire(EventId e, Clock own);
    void make_message(EventId e, EventId previous);

    const ExecutionGraph& graph_;
    Clocks hb_;
    Clocks message_;                     ///< of writes
    std::vector<EventId> release_fence_; ///< by slot: the thread's last release fence up to and with that event
};

} // namespace heddle

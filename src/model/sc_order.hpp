// ScOrder: the part of RC11's psc that is between seq_cst accesses, kept closed as the execution grows.
//
// psc between accesses is scb: program order; program order to another location, happens-before, program order from another location;
// happens-before at one location; co; fr. An event that is new has no happens-before out of it, so its only edges out are co and fr, to
// the seq_cst writes that come after it (or after the write it reads) in coherence; the nearest of them is enough. A cycle needs such an edge. A
// thread's seq_cst accesses are ordered: a chain.
#pragma once

#include "graph/journaled_clocks.hpp"
#include "model/happens_before.hpp"

#include <vector>

namespace heddle {

class ScOrder {
  public:
    ScOrder(const ExecutionGraph& graph, const HappensBefore& hb) : graph_(graph), hb_(hb) {}

    /// `e` has just been added, and `hb` knows it. False: there is a cycle now.
    bool added(EventId e) {
        in_use_ = in_use_ || is_sc_access(e);
        return !in_use_ || put(e); // programs without seq_cst pay nothing
    }
    void removed(EventId e) {
        if (in_use_ && is_sc_access(e)) {
            order_.undo(e);
        }
    }

  private:
    static constexpr EventId kNotAsked{~0u};

    [[nodiscard]] bool is_sc_access(EventId e) const { return graph_[e].is_access() && graph_[e].order == Order::SeqCst; }
    void come_after(Clock row, EventId x) { join(row, order_.row(x)); }
    bool put(EventId e);
    /// The last event before `e` in its thread that is not of its location; none: kNoEvent.
    [[nodiscard]] EventId elsewhere(EventId e) const;
    /// `previous`: the seq_cst access before it in its thread, whose row is in `row`; kNoEvent: none.
    void follow_happens_before(EventId e, EventId previous, Clock row);
    void follow_location(EventId e, EventId previous, Clock row); ///< of a read
    void follow_coherence(EventId e, Clock row);                  ///< of a write
    /// The nearest seq_cst write that comes after `e` in coherence, or after what it reads.
    [[nodiscard]] EventId target(const GraphEvent& e) const;

    const ExecutionGraph& graph_;
    const HappensBefore& hb_;
    bool in_use_ = false;                ///< a seq_cst access has been seen
    JournaledClocks order_;              ///< of seq_cst accesses; a chain a thread
    std::vector<EventId> elsewhere_{};   ///< by slot; kNotAsked: it came before the first seq_cst access
    std::vector<EventId> last_access_{}; ///< by slot: the last seq_cst access of its thread, up to and with that event
};

} // namespace heddle

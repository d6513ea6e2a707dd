// PscOrder: has rc11's psc a cycle with this coherence?
//
// Without seq_cst fences psc is what it is whatever coherence is (SeqCstEvents, closed), and edges to each seq_cst write from the seq_cst accesses that come before it: writes before it in coherence, and reads of
// these. So what comes right before an event is one clock. The seq_cst events are taken away one by one, those first before which there is nothing; the events of a thread are a chain, so only the first of each
// thread need be looked at.
#pragma once

#include "model/seq_cst_events.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class PscOrder {
  public:
    PscOrder(const ExecutionGraph& graph, SeqCstEvents& events) : graph_(graph), events_(events) {}

    /// A question about the included events begins: psc is what it is whatever coherence is. Pre: there are no seq_cst fences.
    void begin(EventTest included);
    /// The writes of a location follow each other, Init first: here comes Init, or ...
    void begin_location(EventId init, EventTest included);
    /// ... the next of them.
    void add(EventId write, EventTest included);
    [[nodiscard]] bool is_acyclic();

  private:
    [[nodiscard]] Clock before(std::uint32_t n) { return {before_.data() + n * width_, width_}; }
    void pass(EventId access);
    void pass_readers(EventId write, EventTest included);

    const ExecutionGraph& graph_;
    SeqCstEvents& events_;
    std::size_t width_ = 0;              ///< of clocks
    std::vector<std::uint32_t> before_;  ///< a clock for each seq_cst event: what comes right before it, and itself
    std::vector<std::uint32_t> passed_;  ///< the seq_cst accesses of the writes of the location so far
    std::vector<std::uint32_t> taken_;   ///< a clock: what has been taken away
    std::vector<std::uint32_t> next_of_; ///< by thread: its first event that has not
};

} // namespace heddle

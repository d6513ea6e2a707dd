// RfModel: any model, with coherence existential: an execution is consistent when some coherence makes it so.
//
// Only for locations that threads wait on is coherence tracked as usual, since whether a thread waits for good is a question about the
// latest write. It asks the axioms of the model plainly (coherence_search.hpp): exact, and slow.
#pragma once

#include "model/axioms.hpp"
#include "model/coherence_search.hpp"
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"

#include <functional>

namespace heddle {

class RfModel final : public MemoryModel {
  public:
    RfModel(const ExecutionGraph& graph, const Axioms& axioms, std::function<bool(Address)> is_tracked)
        : MemoryModel(graph), axioms_(axioms), is_tracked_(std::move(is_tracked)), hb_(graph) {}

    std::uint32_t floor(const GraphEvent&) override { return 0; }
    bool admits_all(const GraphEvent&) const override { return false; }
    bool admits(EventId e) override;
    bool before(EventId a, EventId b) override;
    HappensBefore* happens_before() override { return &hb_; }
    bool races_are_errors() const override { return axioms_.races_are_errors; }
    bool tracks_coherence(LocationId l) const override { return is_tracked_(graph_.location(l).address); }
    EventId latest(LocationId location, const std::function<bool(EventId)>& included) override;

  protected:
    void on_added(EventId e) override { hb_.added(e); }
    void on_removed(EventId) override {}

  private:
    /// The included events by thread and index: an order that depends on the execution only. `ids_` says which is which.
    Execution plain(const std::function<bool(EventId)>& included);

    const Axioms& axioms_;
    std::function<bool(Address)> is_tracked_;
    HappensBefore hb_;
    std::vector<EventId> ids_;           ///< of the events of the last `plain`
    std::vector<std::size_t> positions_; ///< and back, by slot
};

} // namespace heddle

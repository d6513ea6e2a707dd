// ra: hb = (po | rf)+ ; irreflexive hb ; (rf | co | fr)?. The smallest model: its happens-before is the prefix itself.
#pragma once

#include "model/memory_model.hpp"

namespace heddle {

class RaModel final : public MemoryModel {
  public:
    using MemoryModel::MemoryModel;

    /// The latest write that happens before the event: reading, or being placed, before it would close hb ; fr or hb ; co.
    std::uint32_t floor(const GraphEvent& e) override {
        const EventId last = po_previous(e);
        return last == kNoEvent ? 0 : foreseen_floor(e.location, prefixes().prefix(last));
    }
    ConstClock known(EventId e) const override { return prefixes().prefix(e); }
    bool foresees_floors() const override { return true; }
    void learn(Clock known, EventId source, Order) const override {
        if (graph_[source].kind == EventKind::Write) {
            join(known, prefixes().prefix(source));
        }
    }
    std::uint32_t foreseen_floor(LocationId location, ConstClock known) const override {
        const auto& co = graph_.location(location).coherence;
        std::size_t rank = co.size() - 1;
        while (rank > 0 && !contains(known, co[rank])) {
            --rank;
        }
        return static_cast<std::uint32_t>(rank);
    }
    bool admits(EventId) override { return true; }
    bool before(EventId a, EventId b) override { return contains(prefixes().prefix(b), a); }

  protected:
    void on_added(EventId) override {}
    void on_removed(EventId) override {}
};

} // namespace heddle

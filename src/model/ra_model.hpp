// ra: hb = (po | rf)+ ; irreflexive hb ; (rf | co | fr)?. The smallest model: its happens-before is the prefix itself.
#pragma once

#include "model/memory_model.hpp"

namespace heddle {

class RaModel final : public MemoryModel {
  public:
    using MemoryModel::MemoryModel;

    /// The latest write that happens before the event: reading, or being placed, before it would close hb ; fr or hb ; co.
    std::uint32_t floor(const GraphEvent& e) override {
        const auto& co = graph_.location(e.location).coherence;
        const EventId last = po_previous(e);
        std::size_t rank = last == kNoEvent ? 0 : co.size() - 1;
        while (rank > 0 && !contains(prefix(last), co[rank])) {
            --rank;
        }
        return static_cast<std::uint32_t>(rank);
    }
    bool admits(EventId) override { return true; }
    bool before(EventId a, EventId b) override { return contains(prefix(b), a); }

  protected:
    void on_added(EventId) override {}
    void on_removed(EventId) override {}
};

} // namespace heddle

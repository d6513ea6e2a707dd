// sc, tso, pso: one global order that contains co, fr, reads from other threads, and the part of program order that the model keeps.
//
// GlobalOrder keeps it closed. An event that comes last can have one edge to events that are there already: a read to the write after its source
// (fr), a write to the next in coherence.
#pragma once

#include "model/global_order.hpp"
#include "model/memory_model.hpp"

namespace heddle {

class OrderedModel final : public MemoryModel {
  public:
    OrderedModel(const ExecutionGraph& graph, Buffer buffer) : MemoryModel(graph), buffer_(buffer), order_(graph, buffer) {}

    std::uint32_t floor(const GraphEvent& e) override { return order_.floor(e); }
    bool admits(EventId) override { return true; }
    /// Where a thread's writes stay in order, whoever reads one knows those before it.
    bool surely_before(EventId w, EventId e, ConstClock prefix) const override {
        return buffer_ == Buffer::PerLocation ? MemoryModel::surely_before(w, e, prefix) : contains(prefix, w);
    }
    bool before(EventId a, EventId b) override { return order_.at_or_before(a, b); }

  protected:
    void on_added(EventId e) override;
    void on_removed(EventId e) override;

  private:
    Buffer buffer_;
    GlobalOrder order_;
};

} // namespace heddle

// rc11: repaired C11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017) with the release sequence of C++20.
//
// Coherence is a matter of the floor: hb never changes for events that are there, so a new event only has to respect what happens before
// it. seq_cst is a matter of cycles in psc, which need an edge out of the new event; those are fr and co, so a choice that is the latest in
// coherence is never asked about. psc between accesses is kept closed (ScOrder); with seq_cst fences, whose edges go through all that
// happens before and after them, the new edges are followed from scratch.
#pragma once

#include "model/happens_before.hpp"
#include "model/memory_model.hpp"
#include "model/sc_order.hpp"

#include <vector>

namespace heddle {

class Rc11Model final : public MemoryModel {
  public:
    explicit Rc11Model(const ExecutionGraph& graph, const ModelWays& ways = {})
        : MemoryModel(graph), keeps_sc_order_(ways.keep_sc_order), hb_(graph), sc_(graph, hb_) {}

    std::uint32_t floor(const GraphEvent& e) override;
    bool admits(EventId e) override;
    bool admits_all(const GraphEvent& e) const override { return e.order != Order::SeqCst && sc_fences_ == 0; }
    ConstClock known(EventId e) const override { return hb_.row(e); }
    bool foresees_floors() const override { return true; }
    void learn(Clock known, EventId source, Order order) const override {
        if (is_acquire(order) && graph_[source].kind == EventKind::Write) {
            join(known, hb_.message(source));
        }
    }
    std::uint32_t foreseen_floor(LocationId location, ConstClock known) const override;
    bool surely_before(EventId w, EventId e, ConstClock) const override { return hb_.at_or_before(w, e); }
    bool before(EventId a, EventId b) override { return hb_.at_or_before(a, b); }
    HappensBefore* happens_before() override { return &hb_; }
    bool races_are_errors() const override { return true; }

  protected:
    void on_added(EventId e) override;
    void on_removed(EventId e) override;

  private:
    /// Is there no cycle with one of the edges that `e` has brought?
    [[nodiscard]] bool psc_is_acyclic(EventId e) const;
    /// psc(x, y), for seq_cst events.
    [[nodiscard]] bool psc(EventId x, EventId y) const;
    [[nodiscard]] bool scb(EventId a, EventId b) const;
    [[nodiscard]] bool happens(EventId a, EventId b) const { return a != b && hb_.at_or_before(a, b); }
    template <class F> [[nodiscard]] bool any_after(EventId fence, F&& test) const;
    template <class F> [[nodiscard]] bool any_before(EventId fence, F&& test) const;

    bool keeps_sc_order_; ///< see ModelWays
    HappensBefore hb_;
    ScOrder sc_;
    bool sc_cycle_ = false;     ///< with the event added last, among seq_cst accesses
    std::size_t sc_fences_ = 0; ///< seq_cst fences added and not removed (an upper bound while some are cut away)
};

} // namespace heddle

// RfModel: any model, with coherence existential: an execution is consistent when some coherence makes it so.
//
// Only for locations that threads wait on is coherence tracked as usual, since whether a thread waits for good is a question about the
// latest write; and for those with pointers where that decides what leaks. Elsewhere two cases. As long as every write that came was forced to come last in coherence (the floor of the model itself says so),
// there is but one coherence, the one in the graph: the model decides, as it does where coherence is tracked. Most programs are always there: a
// location that one thread writes, counters, locks. Once a write is not forced, coherence is *open* until that write is gone again. Where
// happens-before alone decides about coherence, that concerns its location only, and ForcedCoherence has the answer. Otherwise (sc, tso, pso,
// seq_cst under rc11) a coherence is looked for. A witness is kept (coherence_witness.hpp); when an event does not fit it, SaturatedOrder finds another or says that there is none. Under rc11 its yes is
// good, since what is sequentially consistent is consistent, and its no where only seq_cst accesses race; else the axioms are asked plainly
// (coherence_search.hpp): exact, and slow.
//
// Where happens-before has a part in it (ra, rc11), the coherence in the graph is tried before any of this: it is a witness as
// long as every event that came was consistent with it, and the model itself says whether the next one is. What one event loses is lost
// until it is gone. (Cuts may leave the model with more order than there is. It then says no more often.)
#pragma once

#include "model/axioms.hpp"
#include "model/coherence_search.hpp"
#include "model/forced_coherence.hpp"
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"
#include "model/saturated_order.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace heddle {

class RfModel final : public MemoryModel {
  public:
    /// How a coherence is looked for; no answer depends on it.
    struct Ways {
        bool ask_the_model = true; ///< as long as coherence is forced; false: it is always looked for
        bool use_blocks = true;    ///< ForcedCoherence where happens-before alone decides; false: the axioms
        bool try_the_graph = true;
        bool keep_witness = true;                      ///< false: saturation is asked each time
        std::optional<Buffer> saturate = Buffer::None; ///< as the model has it, or None if it has none; nothing: do not
    };
    /// `model` is that of the axioms, for the same graph.
    RfModel(const ExecutionGraph& graph, const Axioms& axioms, std::unique_ptr<MemoryModel> model,
            std::function<bool(Address)> is_tracked, const Ways& ways);

    std::uint32_t floor(const GraphEvent& e) override;
    bool admits_all(const GraphEvent& e) const override { return is_decided(e.location) && model_->admits_all(e); }
    bool admits(EventId e) override;
    bool before(EventId a, EventId b) override;
    HappensBefore* happens_before() override { return model_->happens_before() ? model_->happens_before() : &own_hb_; }
    bool races_are_errors() const override { return axioms_.races_are_errors; }
    bool tracks_coherence(LocationId l) const override;
    bool knows_latest(LocationId l) const override {
        return tracks_coherence(l) || !is_open(l) || graph_.location(l).coherence.size() <= 2; // Init is never the latest of two
    }
    void placing(const GraphEvent& write) override;
    EventId latest(LocationId location, const std::function<bool(EventId)>& included) override;
    bool is_latest(EventId write, const std::function<bool(EventId)>& included) override;

  protected:
    void on_added(EventId e) override;
    void on_removed(EventId e) override;

  private:
    /// Is the coherence in the graph one of several as far as this location is concerned?
    [[nodiscard]] bool is_open(LocationId l) const {
        return open_ > 0 && (!is_local() || (l.index < open_at_.size() && open_at_[l.index] > 0));
    }
    [[nodiscard]] bool is_local() const { return !axioms_.coherence_orders && (seq_cst_ < 2 || !axioms_.orders_seq_cst); }
    /// There is but one coherence as far as this location is concerned: the model itself decides.
    [[nodiscard]] bool is_decided(LocationId l) const { return asks_the_model_ && !is_open(l); }
    /// Do the axioms find a coherence? The plain way to answer.
    [[nodiscard]] bool axioms_allow();
    /// Does the coherence in the graph allow `e`, which the model has not been told yet?
    [[nodiscard]] bool fits(const GraphEvent& e);
    [[nodiscard]] bool comes_surely_before(EventId w, EventId e) const { return model_->surely_before(w, e, prefix(e)); }
    /// Does a write that the thread certainly knows certainly come after what it reads? (Not all such writes are noticed.)
    [[nodiscard]] bool is_overwritten(const GraphEvent& read);
    /// Does an included write certainly come after it?
    [[nodiscard]] bool has_later(EventId write, const std::function<bool(EventId)>& included) const;
    /// Is there a coherence of the execution made of the included events in which it is the latest write of its location?
    [[nodiscard]] bool can_be_latest(EventId write, const std::function<bool(EventId)>& included);
    /// What the saturated order says, if that is certain.
    [[nodiscard]] std::optional<bool> saturated_says();
    /// Are accesses that are not ordered by happens-before all seq_cst, where they conflict?
    [[nodiscard]] bool only_seq_cst_races();
    [[nodiscard]] bool has_seq_cst(const std::function<bool(EventId)>& included) const;
    /// The included events by thread and index: an order that depends on the execution only. `ids_` says which is which.
    Execution plain(const std::function<bool(EventId)>& included);

    const Axioms& axioms_;
    std::unique_ptr<MemoryModel> model_; ///< right while coherence is not open
    std::function<bool(Address)> is_tracked_;
    mutable std::vector<std::uint8_t> tracked_; ///< by LocationId: 0 not asked yet, 1 no, 2 yes
    HappensBefore own_hb_;                      ///< when the model has none
    bool forced_ = true;                        ///< the write about to be added can only come last
    std::size_t open_ = 0;                      ///< writes that were not forced, present or cut away
    std::vector<bool> loses_;                   ///< by slot: events that the coherence in the graph does not allow
    std::size_t lost_ = 0;                      ///< of them, present or cut away
    bool asks_the_model_;                       ///< see Ways
    bool uses_blocks_;
    bool tries_the_graph_;
    Births births_;
    Places places_;
    std::unique_ptr<CoherenceWitness> witness_; ///< null: saturation is asked each time
    std::unique_ptr<SaturatedOrder> part_;      ///< of parts of the execution
    std::unique_ptr<SaturatedOrder> saturated_; ///< null: a test compares, or nobody would ask
    std::vector<bool>
        told_; ///< by slot: the model knows of it. Not where its order contains a coherence that is open: it would say nothing
    std::vector<bool> opens_;            ///< by slot: those writes
    std::vector<std::uint32_t> open_at_; ///< by LocationId: how many of them
    std::size_t seq_cst_ = 0;            ///< seq_cst accesses and fences, present or cut away
    ForcedCoherence by_force_;
    std::vector<EventId> candidates_;    ///< see latest
    std::vector<EventId> ids_;           ///< of the events of the last `plain`
    std::vector<std::size_t> positions_; ///< and back, by slot
};

} // namespace heddle

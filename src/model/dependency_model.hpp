// DependencyModel: models in which an event needs only some of what comes before it in its thread (POWER, ARMv8).
//
// The prefix of an event (the "commit-before" of the POWER paper: Abdulla, Atig, Jonsson, Leonardsson, CAV 2016) is what must be there for it to exist:
// what its address, its value and the way to it were computed from, what a fence or its own order puts before it, earlier accesses of its
// location, and where it reads from. On POWER it is acyclic in every consistent execution, so every execution can be built in an order that respects
// it, load buffering included; MODELS.md says what else it must satisfy. On ARMv8 it is not: see left_out_by.
//
// Fences, and what is no access, are in the prefix of all that follows them in their thread: they offer no choice, and a thread's later events could
// not be judged without them.
#pragma once

#include "model/axioms.hpp"
#include "model/memory_model.hpp"

namespace heddle {

class DependencyModel : public MemoryModel {
  public:
    DependencyModel(const ExecutionGraph& graph, const Axioms& axioms, const ModelWays& ways = {})
        : MemoryModel(graph), axioms_(axioms), judges_cycles_(ways.judge_cycles) {}

    /// What the accesses of its own thread leave; the rest is for `admits`.
    [[nodiscard]] std::uint32_t floor(const GraphEvent& e) override;
    [[nodiscard]] bool admits(EventId e) override;
    [[nodiscard]] bool admits_all(const GraphEvent&) const override { return false; }
    /// ARMv8: what follows the read of an update may be seen before its write, where that write waits for something that the read does not; and what
    /// depends on a read of the thread's own write may be seen before an earlier access of the same location, which that write does wait for.
    /// The smallest litmus test of the second kind in the public corpora is LB+data+data-rfi-fri-rfi-ctrl.
    [[nodiscard]] std::optional<LeftOut> left_out_by(EventId e) const override;
    [[nodiscard]] bool before(EventId a, EventId b) override;

  protected:
    void on_added(EventId) override {}
    void on_removed(EventId) override {}
    void join_needs(const GraphEvent& e, Clock into) const override;

  private:
    template <class Steps> void reach(EventId e, std::vector<bool>& set, Steps&& steps);
    template <class Visit> void visit_successors(EventId e, Visit&& visit) const;
    template <class Visit> void visit_predecessors(EventId e, Visit&& visit) const;

    /// What the axioms say about a part of the execution; null: about all of it.
    [[nodiscard]] bool allow(const std::vector<bool>* part) const;

    const Axioms& axioms_;
    const bool judges_cycles_;  ///< see ModelWays
    std::vector<bool> reached_; ///< by slot, for `admits`; the others too
    std::vector<bool> reaching_;
    std::vector<bool> judged_;
    std::vector<EventId> to_visit_;
};

} // namespace heddle

// DependencyModel: models in which an event needs only some of what comes before it in its thread (POWER, ARMv8).
//
// The prefix of an event (the "commit-before" of the POWER paper: Abdulla, Atig, Jonsson, Leonardsson, CAV 2016) is what must be there for it to exist:
// what its address, its value and the way to it were computed from, what a fence or its own order puts before it, earlier accesses of its
// location, and where it reads from. On POWER it is acyclic in every consistent execution, so every execution can be built in an order that respects
// it, load buffering included; MODELS.md says what else it must satisfy.
//
// Forwarding, on ARMv8. A read of the thread's own write W gets W's value as soon as that is known: what depends on the read waits for what W's address and
// value were computed from, not for what else W waits for (an earlier access of the location, a release). So such a read needs those, and what any access at its place needs
// but for accesses of the location up to W, and not W itself. With W in it the prefix would be cyclic in executions that are allowed (the litmus tests
// LB+data+data-rfi-fri-rfi-addr and LB+ctrl+data-rfi-fri-rfi-ctrl). A revisit may then cut W away and leave the read, whose value is known all the same. That this is fit for exploration:
// - acyclic: what is left of po-loc in the prefix is in the model's order: before a write by definition; before a read from elsewhere by coherence, through
//   the write it reads from; and accesses between W and the read read from W too.
// - W can come back last in coherence: of what stayed, the reads of W are all there is of the location behind W in its thread (anything else needs W), the
//   order has no edge from W to them, and whatever it does put behind W needs W.
// - no execution is found twice: a read that was left without its write is in the prefix of the write that revisited, which an older read now reads. So nothing
//   cuts such a read away, or revisits it, before that is undone.
// The read of an update is forwarded likewise.
//
// Updates, on ARMv8. What needs the read of an update need not wait for its write W. If W waits for reads that the read does not wait for, it is not in the prefix
// of what follows ("splits off"); otherwise it is, since only reads make a prefix cyclic. What is then done about W's place in coherence, which
// its read decides, is the search's business (search/dpor/explorer_updates.cpp).
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
        : MemoryModel(graph, {.splits_updates = axioms.architecture == Architecture::AArch64}), axioms_(axioms),
          judges_cycles_(ways.judge_cycles), follows_fences_(ways.follow_fences) {}

    /// What the accesses of its own thread leave, and those of others that fences put before it; the rest is for `admits`.
    [[nodiscard]] std::uint32_t floor(const GraphEvent& e) override;
    [[nodiscard]] bool admits(EventId e) override;
    [[nodiscard]] bool admits_all(const GraphEvent&) const override { return false; }
    [[nodiscard]] EventId left_out_by(EventId refused) override;
    [[nodiscard]] bool splits_off(const GraphEvent& write) override;
    [[nodiscard]] bool before(EventId a, EventId b) override;

  protected:
    void on_added(EventId e) override;
    void on_removed(EventId) override {}
    void join_needs(const GraphEvent& e, Clock into) const override;
    [[nodiscard]] bool needs_source(const GraphEvent& e) const override { return !is_forwarded(e); }

  private:
    /// Is it a read that gets the value of its thread's own write without needing it?
    [[nodiscard]] bool is_forwarded(const GraphEvent& e) const;
    /// Is `e` an access that all accesses before it in its thread are ordered with?
    [[nodiscard]] bool orders_all_before(const GraphEvent& e) const;
    /// Are the two accesses of a thread ordered because one of them is an acquire or a release?
    [[nodiscard]] bool orders_by_itself(const GraphEvent& x, const GraphEvent& e) const;
    [[nodiscard]] std::uint32_t ordered_before(const GraphEvent& e) const;
    /// Does the prefix have reads that `other` does not?
    [[nodiscard]] bool has_more_reads(ConstClock prefix, ConstClock other) const;
    template <class Steps> void reach(EventId e, std::vector<bool>& set, Steps&& steps);
    template <class Visit> void visit_successors(EventId e, Visit&& visit) const;
    template <class Visit> void visit_predecessors(EventId e, Visit&& visit) const;

    /// What the axioms say about a part of the execution; null: about all of it.
    [[nodiscard]] bool allow(const std::vector<bool>* part) const;

    [[nodiscard]] bool splits(const GraphEvent& write, ConstClock of_write) const;
    [[nodiscard]] bool may_come_later(EventId write, EventId e) const;
    /// Is it the write of an update that needs reads which its own read does not need?
    [[nodiscard]] bool is_gapped(EventId write) const { return write.index < gapped_.size() && gapped_[write.index]; }

    const Axioms& axioms_;
    const bool judges_cycles_;  ///< see ModelWays
    const bool follows_fences_; ///< see ModelWays
    std::vector<bool> gapped_;  ///< by slot: see is_gapped
    std::vector<bool> reached_; ///< by slot, for `admits`; the others too
    std::vector<bool> reaching_;
    std::vector<bool> judged_;
    std::vector<EventId> to_visit_;
    std::vector<std::uint32_t> looked_at_; ///< by thread, for `floor`
};

} // namespace heddle

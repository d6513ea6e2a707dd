// MemoryModel: what a search asks about the execution it grows. One class a model; the search knows none by name.
//
// A model follows the graph: it is told of each event that was added (always the last of its thread) and of each that is about to be taken
// back, and keeps what it needs by slot. It is not told of cuts: a search cuts away only events that nothing kept comes after (see
// search/dpor), so what is known about the events that stay remains true.
//
// The consistent choices for a new event form a range. Let the *floor* of a location for an event be the latest write in coherence that the
// event, by what comes before it, must know. Then a read may read from the floor or any write after it, and a write may go anywhere after
// the floor, except between an update's source and its write. That is all there is to sc, tso, pso and ra, and to rc11 apart from
// seq_cst, for which `admits` asks about the choice made.
#pragma once

#include "graph/clocks.hpp"
#include "graph/execution_graph.hpp"
#include "support/function_ref.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

class HappensBefore;

/// Which events a part of the execution is made of.
using EventTest = FunctionRef<bool(EventId)>;

/// What makes a model's answers quick; no answer depends on it. Each has an off position for the tests.
struct ModelWays {
    bool keep_sc_order =
        true; ///< rc11: psc between accesses is kept closed; false: every choice is asked about by a search from everywhere
    bool judge_cycles = true; ///< processors: the axioms judge the events on cycles through what is new; false: everything
    bool follow_fences =
        true; ///< processors: what fences show of other threads is not offered; false: the axioms are asked about it
};

/// What a search asks about at every event, and most models do not have.
struct ModelTraits {
    bool splits_updates = false;  ///< see MemoryModel::splits_off
    bool opens_coherence = false; ///< see MemoryModel::tracks_coherence
};

class MemoryModel {
  public:
    /// The graph must outlive the model.
    explicit MemoryModel(const ExecutionGraph& graph, const ModelTraits& traits = {})
        : graph_(graph), traits_(traits), by_event_(graph.may_have_holes()) {}
    MemoryModel(const MemoryModel&) = delete;
    MemoryModel& operator=(const MemoryModel&) = delete;
    virtual ~MemoryModel() = default;

    /// `e` has just been added.
    void added(EventId e) {
        if (prefixes_ == this) {
            follow_prefix(e);
        }
        on_added(e);
    }
    /// `e` is the event last added that is still there, and will be taken away now.
    void removed(EventId e) { on_removed(e); }

    /// The rank of the floor of e.location for `e`, a Read or Write that is not in the graph yet and would be the last of its thread. (Or that is in the graph
    /// and the model has not been told yet: then of a Read, at least the rank of its source.)
    [[nodiscard]] virtual std::uint32_t floor(const GraphEvent& e) = 0;
    /// Is it certain, before the read is there, that it cannot read from `source`, which respects the floor? (False is always right: `admits` is asked.)
    [[nodiscard]] virtual bool excludes(const GraphEvent& /*read*/, EventId /*source*/) { return false; }
    struct Readable {
        std::span<const std::uint8_t> by_rank{}; ///< 0: it certainly cannot read from that write of its location
        bool is_certain = false;                 ///< otherwise it certainly can; if not, `admits` is asked
    };
    /// The same of all writes of the location at once. Empty: `excludes` is to be asked about each. Valid until asked again.
    [[nodiscard]] virtual Readable readable(const GraphEvent& /*read*/) { return {}; }
    /// Is the graph consistent with the choice made for `e`, which was added last and respects the floor? False only ever for a choice that is
    /// not the latest in coherence: models are extensible.
    [[nodiscard]] virtual bool admits(EventId e) = 0;
    /// Is it known that `admits` would say yes? (False is always right.)
    [[nodiscard]] bool surely_admits(EventId e) const { return e == surely_admitted_; }
    /// Need `admits` not be asked about the latest in coherence? It must where the order in the graph is not the only coherence, or a thread's order has holes.
    [[nodiscard]] bool admits_latest() const { return !by_event_ && !traits_.opens_coherence; }
    /// Is any choice that respects the floor consistent for `e`, which is not in the graph yet? Then `admits` need not be asked.
    [[nodiscard]] virtual bool admits_all(const GraphEvent&) const { return true; }
    /// Is it certain that this read, which is not in the graph yet, may read from its source, which respects the floor, or that it may not? (Nothing is always right.) A function of
    /// the choices made so far: workers that make them again must get the same answer. Asked about what may be the last read of its thread.
    [[nodiscard]] virtual std::optional<bool> foretells(const GraphEvent& read) {
        return admits_all(read) ? std::optional(true) : std::nullopt;
    }
    /// In a model whose order does not contain coherence (Axioms::coherence_orders): what happens before `e`, itself included.
    [[nodiscard]] virtual ConstClock known(EventId e) const { return prefix(e); }
    /// Foresight: floors for reads that a thread would do one after the other, none of which is there yet. Does the model have it?
    [[nodiscard]] virtual bool foresees_floors() const { return false; }
    /// Does what it says of reads and writes stay right after some that are only foreseen? Then these may be followed by writes.
    [[nodiscard]] virtual bool foresees_runs() const { return foresees_floors(); }
    /// Adds to what a thread knows, which is `known` of its last event at first, what it learns by reading from `source`.
    virtual void learn(Clock /*known*/, EventId /*source*/, Order /*of the read*/) const {}
    /// The rank of the floor of the location for who knows this, the reads apart that are only foreseen.
    [[nodiscard]] virtual std::uint32_t foreseen_floor(LocationId, ConstClock /*known*/) const { return 0; }
    /// Foresight where coherence is open: adds to `sources` what `read` could read, which comes after others of its thread that are in no graph either; with what these have read from the
    /// thread knows this. False: it cannot be told.
    [[nodiscard]] virtual bool foresee_sources(const GraphEvent& /*read*/, ConstClock /*known*/, std::span<const EventId> /*way*/,
                                               std::vector<EventId>& /*sources*/) {
        return false;
    }
    /// Can it be so after this read, which would be the next event of its thread?
    [[nodiscard]] virtual bool foresees_reads(const GraphEvent& /*read*/) const { return false; }
    /// Does `a` come before `b` whatever else happens? (In the order that makes an access before a free good.)
    [[nodiscard]] virtual bool before(EventId a, EventId b) = 0;
    /// Does the write `w` come before `e`, a write of its location or what comes before an access to it in a thread, whatever coherence is? (False is always
    /// right.) `prefix` is that of `e`: in a model whose order contains coherence `e` may be one that it was not told.
    [[nodiscard]] virtual bool surely_before(EventId w, EventId e, ConstClock) const {
        return graph_[w].thread == graph_[e].thread && graph_[w].index <= graph_[e].index;
    }
    /// The happens-before of C11, if the model keeps it.
    [[nodiscard]] virtual HappensBefore* happens_before() { return nullptr; }
    /// `admits` has refused the choice made for this event, which was added last. May an execution be left out because of that, which could be built if the
    /// write of some update came later? That write.
    [[nodiscard]] virtual EventId left_out_by(EventId) { return kNoEvent; }
    /// Does this, the write of an update that is not there yet, need reads that the update's read does not need? Then what follows need not wait for it.
    [[nodiscard]] virtual bool splits_off(const GraphEvent&) { return false; }
    /// May it be so of any update?
    [[nodiscard]] bool splits_updates() const { return traits_.splits_updates; }
    /// Is a data race an error?
    [[nodiscard]] virtual bool races_are_errors() const { return false; }

    /// Is the coherence of this location part of what distinguishes executions? If not (equivalence rf), its order in the graph means nothing.
    [[nodiscard]] bool tracks_coherence(LocationId l) const {
        if (!traits_.opens_coherence) {
            return true;
        }
        const std::uint8_t known = l.index < tracked_.size() ? tracked_[l.index] : 0;
        return known > 0 ? known == 2 : find_tracked(l);
    }
    /// Of a location that is not tracked: can it be from now on, until something is taken away that was there before?
    [[nodiscard]] virtual bool can_track(LocationId) const { return false; }
    void track(LocationId l) { tracked_[l.index] = 2; }
    /// The same, and was that so at all times? Then nothing would have been another way if it had been tracked from the beginning.
    [[nodiscard]] virtual bool could_always_track(LocationId) const { return false; }
    /// Certainly not of this location: an execution with another write of it is counted, but not built.
    void note_loose(LocationId l) {
        if (l.index >= ever_loose_.size()) {
            ever_loose_.resize(graph_.locations());
        }
        ever_loose_[l.index] = 1;
    }
    /// Is there only one write of the location that can be the latest?
    [[nodiscard]] virtual bool knows_latest(LocationId) const { return true; }
    /// Does what `latest` says, of any location and part of the execution, stay the same whatever this read reads, which is to be the next event of its thread (or is
    /// the last)?
    [[nodiscard]] virtual bool keeps_latest(const GraphEvent& /*read*/) { return true; }
    /// The next event to be added is this Write, last in coherence where that is not tracked.
    virtual void placing(const GraphEvent&) {}
    /// The latest write of the location in the execution made of the events for which `included` holds, which are closed under prefixes. Where
    /// coherence is not tracked: one that can be the latest in some coherence; which one depends on that execution alone.
    [[nodiscard]] virtual EventId latest(LocationId location, EventTest included) {
        const auto& co = graph_.location(location).coherence;
        std::size_t rank = co.size() - 1;
        while (rank > 0 && !included(co[rank])) {
            --rank;
        }
        return co[rank];
    }

    /// Is `write`, which is included, the latest of its location then?
    [[nodiscard]] virtual bool is_latest(EventId write, EventTest included) {
        return latest(graph_[write].location, included) == write;
    }

    /// Another model of the same graph follows prefixes, and is told of each event before this one is: they need not be followed twice. This one has none to tell then.
    void leave_prefixes_to(const MemoryModel& other) { prefixes_ = &other; }
    /// Does the read `e` need what it reads from? Not if a processor forwards the value of its thread's own write.
    [[nodiscard]] bool needs_source_of(EventId e) const { return !by_event_ || needs_source(graph_[e]); }
    /// What `e` needs to exist, itself included. Where that contains program order, (po | rf | spawn | join)*: how many of each thread's events.
    /// Otherwise (the graph may have holes): a bit for each event, by slot.
    [[nodiscard]] ConstClock prefix(EventId e) const { return prefix_.row(e); }
    /// The same of an event that is not there yet, itself apart; valid until asked again or an event is added.
    [[nodiscard]] ConstClock prefix_before(const GraphEvent& e) {
        const bool like_last = !by_event_ && (e.source == kNoEvent || graph_[e.source].kind == EventKind::Init);
        return like_last ? prefix_.row(graph_.last(e.thread)) : merged_prefix(e);
    }
    /// Is `e` in this prefix? An Init is in all.
    [[nodiscard]] bool contains(ConstClock prefix, EventId e) const {
        const GraphEvent& event = graph_[e];
        if (by_event_) {
            return event.kind == EventKind::Init ||
                   (e.index / 32 < prefix.size() && (prefix[e.index / 32] >> (e.index % 32) & 1) != 0);
        }
        return event.kind == EventKind::Init || (event.thread.index < prefix.size() && event.index < prefix[event.thread.index]);
    }

  protected:
    virtual void on_added(EventId e) = 0;
    virtual void on_removed(EventId e) = 0;
    /// See tracks_coherence; asked once about each location, of a model that opens coherence.
    [[nodiscard]] virtual bool is_tracked(LocationId) const { return true; }
    /// Of a model in which an event does not need all that comes before it in its thread: adds the prefixes of those of its own thread that it does
    /// need.
    virtual void join_needs(const GraphEvent&, Clock) const {}
    /// Does `e`, if it reads from a Write, need that write?
    [[nodiscard]] virtual bool needs_source(const GraphEvent&) const { return true; }

    /// Has a write of the location not come surely after all that were there, at some time?
    [[nodiscard]] bool was_loose(LocationId l) const { return l.index < ever_loose_.size() && ever_loose_[l.index] != 0; }
    /// The event that was added last, or none: see surely_admits.
    void note_surely_admitted(EventId e) { surely_admitted_ = e; }

    /// The event before `e` in its thread.
    [[nodiscard]] EventId po_previous(const GraphEvent& e) const {
        return e.index == 0 ? kNoEvent : graph_.thread(e.thread)[e.index - 1];
    }
    [[nodiscard]] EventId po_previous(EventId e) const { return po_previous(graph_[e]); }

    /// Whose prefixes to use.
    [[nodiscard]] const MemoryModel& prefixes() const { return *prefixes_; }

    const ExecutionGraph& graph_;

  private:
    bool find_tracked(LocationId l) const;
    void follow_prefix(EventId e);
    ConstClock merged_prefix(const GraphEvent& e); ///< see prefix_before
    void join_needs_and_source(const GraphEvent& e, Clock into) const;

    const ModelTraits traits_;
    const bool by_event_;
    const MemoryModel* prefixes_ = this;
    EventId surely_admitted_ = kNoEvent;
    std::vector<std::uint8_t> ever_loose_; ///< by LocationId: see was_loose
    Clocks prefix_;                        ///< a chain a thread; or bits
    std::vector<std::uint32_t> scratch_;
    mutable std::vector<std::uint8_t> tracked_; ///< by LocationId: 0 not asked yet, 1 no, 2 yes
};

} // namespace heddle

// RfModel: any model, with coherence existential: an execution is consistent when some coherence makes it so.
//
// Only for locations that threads wait on is coherence tracked as usual, since whether a thread waits for good is a question about the
// latest write; and for those with pointers where that decides what leaks. Elsewhere two cases. As long as every write that came was forced to come last in coherence (the floor of the model itself says so),
// there is but one coherence, the one in the graph: the model decides, as it does where coherence is tracked. Most programs are always there: a
// location that one thread writes, counters, locks. Once a write is not forced, coherence is *open* until that write is gone again. Where
// happens-before alone decides about coherence, that concerns its location only, and ForcedCoherence has the answer. Otherwise (sc, tso, pso,
// seq_cst under rc11) a coherence is looked for.
//
// But a coherence is mostly had from one that is there by moving writes (rf_model_moving.cpp).
//
// Witnesses. The coherence in the graph is one as long as every event that came was consistent with it, and the model itself says whether the next one is: that costs nothing that
// trace does not cost. When an event does not fit, SaturatedOrder finds another coherence or says that there is none. Under rc11 its yes is
// good, since what is sequentially consistent is consistent, and its no where only seq_cst accesses race; else PscCoherence is asked, and at once where others race too. The coherence found is the witness of what comes after that event (coherence_witness.hpp), until that event is gone. So there is a stack of
// levels, of which the first is the graph. An event that does not fit and for which no witness was found is lost at its level: nothing that comes after it is asked about
// there. (Cuts may leave a level with more order than there is. It then says no more often.) Under rc11 a location may be *free*: psc has nothing to do with it. An event that does not fit there is a
// stray: ForcedCoherence decides about it and about what comes later at that location, and the level is still good for the others, until a seq_cst write or a fence makes the location part of psc.
#pragma once

#include "model/axioms.hpp"
#include "model/coherence_search.hpp"
#include "model/coherence_witness.hpp"
#include "model/forced_coherence.hpp"
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"
#include "model/psc_coherence.hpp"
#include "model/psc_order.hpp"
#include "model/saturated_order.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace heddle {

class RfModel final : public MemoryModel {
  public:
    /// How a coherence is looked for; no answer depends on it.
    struct Ways {
        bool ask_the_model = true; ///< as long as coherence is forced; false: it is always looked for
        bool use_blocks = true;    ///< ForcedCoherence where happens-before alone decides; false: the axioms
        bool try_the_graph = true;
        bool foresee_reads = true;  ///< where happens-before alone decides: what a read may read is known before it is there
        bool foresee_latest = true; ///< what can be the latest is seen without looking for a coherence, where it can be
        bool search_psc = true;     ///< rc11: PscCoherence; false: what sc allows, and then the axioms
        bool move_writes = true;    ///< rc11: a coherence is had from another by moving a write to the end, where it can be
        bool keep_witness = true;   ///< false: where the graph is not one, saturation is asked each time
        std::optional<Buffer> saturate = Buffer::None; ///< as the model has it, or None if it has none; nothing: do not
    };
    /// `model` is that of the axioms, for the same graph.
    RfModel(const ExecutionGraph& graph, const Axioms& axioms, std::unique_ptr<MemoryModel> model,
            std::function<bool(Address)> is_tracked, const Ways& ways);

    std::uint32_t floor(const GraphEvent& e) override;
    bool admits_all(const GraphEvent& e) const override { return is_decided(e.location) && model_->admits_all(e); }
    bool excludes(const GraphEvent& read, EventId source) override {
        if (is_decided(read.location)) {
            return false;
        }
        if (foresees(read)) {
            return !is_readable(read, source);
        }
        return !is_local() &&
               (foresees_in_part(read) ? !is_readable(read, source) : tries_the_graph_ && is_overwritten(read, source));
    }
    Readable readable(const GraphEvent& read) override;
    bool admits(EventId e) override;
    std::optional<bool> foretells(const GraphEvent& read) override;
    ConstClock known(EventId e) const override { return model_->known(e); }
    void learn(Clock known, EventId source, Order order) const override { model_->learn(known, source, order); }
    /// While there is but one coherence the model itself foresees.
    bool foresees_runs() const override { return asks_the_model_ && open_ == 0 && loose_ == 0 && model_->foresees_floors(); }
    std::uint32_t foreseen_floor(LocationId l, ConstClock known) const override { return model_->foreseen_floor(l, known); }
    bool foresee_sources(const GraphEvent& read, ConstClock known, std::span<const EventId> way,
                         std::vector<EventId>& sources) override;
    /// (A seq_cst read in no graph would count among the seq_cst events, which decides what is local.)
    bool foresees_reads(const GraphEvent& read) const override {
        return foresees_reads_ && !axioms_.coherence_orders && !(axioms_.orders_seq_cst && read.is_seq_cst());
    }
    bool before(EventId a, EventId b) override;
    HappensBefore* happens_before() override { return model_->happens_before(); }
    bool races_are_errors() const override { return axioms_.races_are_errors; }
    bool knows_latest(LocationId l) const override {
        return tracks_coherence(l) || !is_open(l) || graph_.location(l).coherence.size() <= 2; // Init is never the latest of two
    }
    /// As long as there is but one coherence the graph's is that of the location, and where there is no write there is none.
    bool can_track(LocationId l) const override {
        return graph_.location(l).coherence.size() == 1 || (open_ == 0 && levels_.size() == 1);
    }
    bool could_always_track(LocationId l) const override { return can_track(l) && !was_loose(l); }
    void placing(const GraphEvent& write) override;
    /// Reads decide about writes that nothing orders. Where there are none (see is_chain) the graph says what the latest is.
    bool keeps_latest(const GraphEvent& read) override { return loose_ == 0 || orders_nothing(read); }
    EventId latest(LocationId location, EventTest included) override;
    bool is_latest(EventId write, EventTest included) override;

  protected:
    void on_added(EventId e) override;
    void on_removed(EventId e) override;
    bool is_tracked(LocationId l) const override { return is_tracked_(graph_.location(l).address); }

  private:
    /// Is the coherence in the graph one of several as far as this location is concerned?
    [[nodiscard]] bool is_open(LocationId l) const {
        return open_ > 0 && ((l.index < open_at_.size() && open_at_[l.index] > 0) || !is_local(l));
    }
    /// Has every write of the location the one before it in its prefix?
    [[nodiscard]] bool is_chain(LocationId l) const { return l.index >= loose_at_.size() || loose_at_[l.index] == 0; }
    [[nodiscard]] bool is_local() const { return is_local_; }
    void find_is_local() { is_local_ = !axioms_.coherence_orders && (seq_cst_ < 2 || !axioms_.orders_seq_cst); }
    /// Can psc have nothing to do with the coherence of the location? Without seq_cst fences an edge that has something to do with it ends at a seq_cst write. Then happens-before alone decides
    /// about the location, and no other is concerned.
    [[nodiscard]] bool is_free(LocationId l) const {
        return psc_ && uses_blocks_ && seq_cst_fences_ == 0 && !tracks_coherence(l) &&
               (l.index >= seq_cst_writes_at_.size() || seq_cst_writes_at_[l.index] == 0);
    }
    /// Does happens-before alone decide about this location?
    [[nodiscard]] bool is_local(LocationId l) const { return is_local() || is_free(l); }
    /// Is that so, with this read of an open location too, which is not there yet? Then the blocks of its writes say which of them it may read.
    [[nodiscard]] bool foresees(const GraphEvent& read) const {
        return foresees_reads_ && uses_blocks_ && !tracks_coherence(read.location) &&
               (is_free(read.location) || (is_local() && !(axioms_.orders_seq_cst && read.is_seq_cst())));
    }
    /// Does what they say hold at least, where there is more to be asked?
    [[nodiscard]] bool foresees_in_part(const GraphEvent& read) const {
        return psc_ && foresees_reads_ && uses_blocks_ && !tracks_coherence(read.location);
    }
    /// Is psc alone to be asked, besides? It has nothing to do with the read itself, only with what the read puts before its source.
    [[nodiscard]] bool foresees_by_psc(const GraphEvent& read) const {
        return foresees_reads_ && uses_blocks_ && psc_ && seq_cst_fences_ == 0 && !read.is_seq_cst() &&
               !tracks_coherence(read.location);
    }
    /// May the read, which is the next event of its thread and foreseen, read this? What was found out about it is kept until events come or go.
    [[nodiscard]] bool is_readable(const GraphEvent& read, EventId source);
    void find_readable(const GraphEvent& read);
    /// What a read that knows this, is not seq_cst and comes last could read of what happens-before lets it read (see PscCoherence::restrict).
    void restrict_by_psc(LocationId location, ConstClock known, std::vector<std::uint8_t>& readable);
    /// Writes of one location that can be moved to the end of it in any coherence, as far as happens-before is concerned.
    struct Moved {
        std::uint64_t writes = 0; ///< by rank; 0: none can
        bool leaves = false;      ///< does a seq_cst event that is not of them have a seq_cst one of them in its happens-before?
    };
    /// This write, with those that must come with it. `newest`: an event that nothing comes after, and that does not count.
    [[nodiscard]] Moved moved_last(EventId write, EventTest included, EventId newest = kNoEvent) const;
    /// Those that must come after one of them, too.
    [[nodiscard]] bool add_later(EventId write, EventTest included, EventId newest, Moved& moved) const;
    /// Has psc no cycle with them at the end? Pre, if it leaves them: the coherence that is kept is one without what is asked about.
    [[nodiscard]] bool moving_keeps_psc(const Moved& moved, LocationId location, EventTest included);
    /// Can the write be the very last of its location then?
    [[nodiscard]] bool can_move_last(EventId write, EventTest included);
    /// By itself or by a read of it.
    [[nodiscard]] bool knows_a_write(ConstClock known, EventId w) const;
    /// Is there, because of that, a coherence with this read, which was added last and does not fit the one that is kept? It is the next level.
    [[nodiscard]] bool moving_says(EventId read);
    /// There is but one coherence as far as this location is concerned: the model itself decides.
    [[nodiscard]] bool is_decided(LocationId l) const { return asks_the_model_ && !is_open(l); }
    /// Do the axioms find a coherence? The plain way to answer.
    [[nodiscard]] bool axioms_allow();
    /// Does the coherence in the graph, which was one so far, allow `e`, which the model has not been told yet?
    [[nodiscard]] bool fits(const GraphEvent& e);
    /// Is the coherence that is kept at the newest level one of all that is in the graph?
    [[nodiscard]] bool has_witness() const { return levels_.back().lost == 0; }
    [[nodiscard]] EventId latest_in_witness(LocationId location, EventTest included);
    /// Is the write surely known to what comes after `e` in its thread?
    [[nodiscard]] bool is_surely_known(EventId w, EventId e) const { return model_->surely_before(w, e, prefix(e)); }
    /// Of two writes of one location.
    [[nodiscard]] bool comes_surely_before(EventId a, EventId b) const {
        return model_->surely_before(a, b, prefix(b)) || (sure_ && sure_->at_or_before(a, b));
    }
    /// Does a write that the thread certainly knows certainly come after the source? (Not all such writes are noticed.)
    [[nodiscard]] bool is_overwritten(const GraphEvent& read, EventId source);
    /// By which the latest of a part is chosen; Init comes first.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> name(EventId w) const {
        return {graph_[w].thread.index, graph_[w].index};
    }
    /// Is it Init, or one of the updates that stand behind it one by one?
    [[nodiscard]] bool is_of_init(EventId write) const;
    /// Does this write, another of its location, certainly come after it? (That of an update behind it is not looked for.)
    [[nodiscard]] bool is_later(EventId w, EventId write) const;
    /// Does an included write certainly come after it?
    [[nodiscard]] bool has_later(EventId write, EventTest included) const;
    /// Does nothing that is included come after it and the writes that it updates one by one, back to a plain one, but reads of these?
    [[nodiscard]] bool ends(EventId write, EventTest included) const;
    /// Does happens-before alone decide about the part that is made of the included events?
    [[nodiscard]] bool is_local_part(EventTest included) const;
    /// Does the graph say what the latest write of the location is, in a part where happens-before alone decides, or another?
    [[nodiscard]] bool graph_decides(LocationId location, bool local) const;
    /// Is every coherence of a part that would be there with this read, the next event of its thread or the last, one without it and the other way round?
    [[nodiscard]] bool orders_nothing(const GraphEvent& read);
    /// Is there a coherence of the execution made of the included events in which it is the latest write of its location?
    [[nodiscard]] bool can_be_latest(EventId write, EventTest included);
    /// What the saturated order says, if that is certain; a coherence that it finds is the next level, because of `e`.
    [[nodiscard]] std::optional<bool> saturated_says(EventId e);
    /// What PscCoherence says, in the same way.
    [[nodiscard]] bool psc_says(EventId e);
    /// Is PscCoherence to be asked first? What sc says is had for less, and where all that races is seq_cst it says enough.
    [[nodiscard]] bool asks_psc_first() { return psc_ && weak_ > 0 && !only_seq_cst_races(); }
    /// One more, or one less.
    void count_at(std::vector<std::uint32_t>& at, LocationId l, std::uint32_t change);
    void count_seq_cst(const GraphEvent& event, std::size_t change);
    void push_level(EventId because, CoherenceWitness& witness);
    /// The witness of the level that would come next.
    template <class Witness, class... Args>
    [[nodiscard]] Witness& next_witness(std::vector<std::unique_ptr<Witness>>& witnesses, Args&&... args);
    [[nodiscard]] Rc11Witness& next_rc11_witness();
    void pop_level();
    /// Are accesses that are not ordered by happens-before all seq_cst, where they conflict?
    [[nodiscard]] bool only_seq_cst_races();
    [[nodiscard]] bool has_seq_cst(EventTest included) const;
    /// Does `write`, which has just been added, come surely after the one before it?
    [[nodiscard]] bool is_loose(const GraphEvent& write, EventId e) const;
    /// Those writes of the location that the thread of `read`, which would be its next event, surely knows. Valid until asked again.
    [[nodiscard]] const std::vector<EventId>& known_to(const GraphEvent& read);
    /// The included events by thread and index: an order that depends on the execution only. `ids_` says which is which.
    Execution plain(EventTest included);

    const Axioms& axioms_;
    std::unique_ptr<MemoryModel> model_; ///< right while coherence is not open
    std::function<bool(Address)> is_tracked_;
    bool forced_ = true;   ///< the write about to be added can only come last
    std::size_t open_ = 0; ///< writes that were not forced, present or cut away
    struct Level {
        EventId because = kNoEvent; ///< what did not fit the level before
        CoherenceWitness* witness = nullptr;
        std::size_t lost = 0;   ///< events that came and did not fit, or came after one that did not, present or cut away
        std::size_t strays = 0; ///< events at free locations that did not fit, and what came at these locations since
        std::vector<std::uint32_t> strays_at{}; ///< by LocationId
    };
    [[nodiscard]] std::uint32_t strays_at(LocationId l) const {
        const auto& at = levels_.back().strays_at;
        return l.index < at.size() ? at[l.index] : 0;
    }
    /// Does `e`, which has just been added, fit the coherence of the newest level, and may what comes after it be compared with that?
    [[nodiscard]] bool is_kept(EventId e, bool is_asked);
    std::vector<Level> levels_ = {{}};                                                ///< the first: the graph
    template <class Witness> using Witnesses = std::vector<std::unique_ptr<Witness>>; ///< as many as were ever needed
    Witnesses<GlobalWitness> global_witnesses_;                                       ///< by level, the first apart; or ...
    Witnesses<Rc11Witness> rc11_witnesses_;                                           ///< ... these
    CoherenceWitness* witness_ = nullptr;                                             ///< of the newest level; null: the graph
    bool asks_the_model_;                                                             ///< see Ways
    bool uses_blocks_;
    bool tries_the_graph_;
    bool foresees_reads_;
    bool foresees_latest_;
    Births births_;
    Places places_;
    std::shared_ptr<ChainNames> names_ = std::make_shared<ChainNames>();
    Buffer buffer_;
    bool moves_writes_;
    bool keeps_witness_;
    std::unique_ptr<GlobalOrder>
        sure_; ///< pso, whose order is not to be read off the prefix: the order without co and fr. Never undone: it depends on the prefix only
    std::unique_ptr<SaturatedOrder> part_;      ///< of parts of the execution
    std::unique_ptr<SaturatedOrder> saturated_; ///< null: a test compares, or nobody would ask
    std::unique_ptr<PscOrder> order_;           ///< and this: whether one coherence does
    std::unique_ptr<PscCoherence> psc_;         ///< rc11, where these do not say enough
    struct Facts {
        bool told =
            false; ///< the model knows of it. Not where its order contains coherence and that of the graph is lost: it would say nothing
        bool loses = false;   ///< it is lost at its level
        bool strays = false;  ///< it is one of the strays of its level
        bool opens = false;   ///< a write that was not forced
        bool loose = false;   ///< a write that did not come surely after the one that was the last in the graph
        bool quiet = false;   ///< neither it nor anything in its prefix is an access
        bool of_init = false; ///< an update of Init, or of such an update
    };
    std::vector<Facts> facts_;                     ///< by slot
    std::vector<std::uint32_t> open_at_;           ///< by LocationId: how many were not forced, present or cut away
    std::vector<std::uint32_t> loose_at_;          ///< by LocationId: how many are loose, present or cut away
    std::size_t loose_ = 0;                        ///< of all locations
    std::size_t seq_cst_ = 0;                      ///< seq_cst accesses and fences, present or cut away
    bool is_local_ = false;                        ///< see is_local
    std::size_t seq_cst_fences_ = 0;               ///< of these, the fences
    std::vector<std::uint32_t> seq_cst_writes_at_; ///< by LocationId
    std::size_t weak_ = 0;                         ///< atomic accesses that are not seq_cst, present or cut away
    ForcedCoherence by_force_;
    /// A question about the next event of a thread, and when it was asked.
    struct Asked {
        std::uint64_t moment = 0; ///< see moment_
        std::uint64_t revision = 0;
        LocationId location{};
        ThreadId thread{};
        friend bool operator==(const Asked&, const Asked&) = default;
    };
    [[nodiscard]] Asked asked_now(const GraphEvent& read) const {
        return {moment_, graph_.revision(), read.location, read.thread}; // events come and go, and are cut away and restored
    }
    std::vector<EventId> known_;           ///< see known_to
    Asked known_at_;                       ///< of which moment and read
    std::vector<std::uint8_t> readable_{}; ///< by rank, see is_readable
    Asked readable_at_;
    std::vector<std::uint8_t> readable_by_psc_{};
    std::vector<EventId> known_writes_{}; ///< see restrict_by_psc
    Asked readable_by_psc_at_;
    std::uint64_t moment_ = 1;           ///< changes when events come and go
    std::vector<EventId> candidates_;    ///< see latest
    std::vector<EventId> ids_;           ///< of the events of the last `plain`
    std::vector<std::size_t> positions_; ///< and back, by slot
};

} // namespace heddle

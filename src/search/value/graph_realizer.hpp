// GraphRealizer: a Realizer for any model that the DPOR search has, by building executions.
//
// A history has an execution when some choice of what each read reads from, among the writes of the value that it reads, is consistent for some
// coherence. Executions are grown in an order that contains program order and reads-from, which these models keep acyclic, and the MemoryModel says of each
// event whether it is consistent with those before it (models are closed under prefixes, so nothing is lost by looking at partial executions).
//
// What is no choice comes first: writes, fences, starts, joins, and reads for which there is one write to read from, now or later. Then one read
// branches over the writes that are there and, if others may still come, over reading one of those *later*. So no execution is built twice.
//
// Coherence is left open (RfModel) where happens-before alone decides about it: a write then has one place only. Elsewhere, and for locations whose last
// write is asked about, writes branch over their places.
//
// What each read read from in the last execution found is tried first: the next question is mostly about the same history and one event more.
#pragma once

#include "graph/execution_graph.hpp"
#include "model/registry.hpp"
#include "model/rf_model.hpp"
#include "search/value/realizer.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace heddle {

class GraphRealizer final : public Realizer {
  public:
    /// `places` says where the history's locations are.
    GraphRealizer(const History& history, const ExecutionGraph& places, const ModelEntry& model, Initial initial,
                  KeepsGoing keeps_going)
        : history_(history), places_(places), entry_(model), initial_(std::move(initial)), keeps_going_(std::move(keeps_going)) {}

    bool ask(const Question& question) override;
    [[nodiscard]] std::span<const Moment> run() const override { return run_; }
    [[nodiscard]] bool is_machine() const override { return false; }

    // --- the execution at hand, for Question::is_sought
    [[nodiscard]] const ExecutionGraph& graph() const { return at_->graph; }
    [[nodiscard]] const MemoryModel& model() const { return *at_->model; }
    [[nodiscard]] const HappensBefore& happens_before() const {
        return at_->own_hb ? *at_->own_hb : *at_->model->happens_before();
    }
    /// Of an update its read.
    [[nodiscard]] EventId event(OpAt at) const { return threads_[at.thread.index].events[at.op]; }
    /// A location of the history as one of the graph.
    [[nodiscard]] LocationId location(LocationId l);
    [[nodiscard]] ValueId value_of(EventId write) const { return value_of(write, at_->theirs[at_->graph[write].location.index]); }

  private:
    /// A graph, the model that follows it, and which locations have their coherence tracked.
    struct Built {
        ExecutionGraph graph;
        std::unique_ptr<RfModel> model;
        std::unique_ptr<HappensBefore> own_hb;            ///< if the model has none
        std::vector<std::optional<LocationId>> locations; ///< by the history's LocationId
        std::vector<LocationId> theirs;                   ///< the other way round
        std::vector<OpAt> ops;                            ///< by slot: what it is an event of
        std::vector<ValueId> values;                      ///< by slot: of writes
    };
    struct Thread {
        std::uint32_t done = 0; ///< operations
        bool begun = false;
        EventId end = kNoEvent;
        /// The read that it is at is to read from something that came after so many events, if `limited` is that read.
        std::uint32_t limited = kNothing;
        std::uint32_t limit = 0;
        std::vector<EventId> events{}; ///< by operation; of an update its read
    };
    struct Option {
        enum class Kind : std::uint8_t { Source, Place, Later } kind;
        EventId source = kNoEvent;
        std::uint32_t rank = 0;
    };
    struct Frame {
        std::uint32_t thread = 0;
        std::size_t events = 0; ///< before it
        std::uint32_t limited = kNothing;
        std::uint32_t limit = 0;
        std::vector<Option> options{};
        std::size_t next = 0;
    };
    enum class Growth : std::uint8_t { Grown, Dead, Complete };
    enum class Stand : std::uint8_t { Moved, Waits, Chooses, Dead };
    static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

    std::unique_ptr<Built> build(std::function<bool(Address)> is_tracked) const;
    void prepare(const Question& question);
    bool search(const Question& question);
    Growth grow(const Question& question);
    bool backtrack();
    void undo(std::size_t events);
    /// Does what thread `t` is at if that is no choice.
    Stand step(std::uint32_t t, const Question& question);
    /// What the read may do.
    Stand find_sources(std::uint32_t t, const HistoryOp& op);
    void find_places(std::uint32_t t, const HistoryOp& op);
    /// False: not consistent.
    bool apply(std::uint32_t t, const Option& o);
    bool add_read(std::uint32_t t, const HistoryOp& op, EventId source);
    bool add_write(GraphEvent write, OpAt at, ValueId value);
    EventId add(GraphEvent e, OpAt at);
    bool accepts(const Question& question);
    bool ends_well(const Question& question);
    bool has_race(const Question& question);
    void remember(bool shown);

    [[nodiscard]] ValueId value_of(EventId write, LocationId l) const;
    [[nodiscard]] const HistoryOp& op_of(std::uint32_t t, std::uint32_t k) const { return history_.thread(ThreadId(t))[k]; }
    /// May somebody else still write this?
    [[nodiscard]] bool comes_later(std::uint32_t t, LocationId l, ValueId v) const;

    const History& history_;
    const ExecutionGraph& places_;
    const ModelEntry& entry_;
    Initial initial_;
    KeepsGoing keeps_going_;

    std::unique_ptr<Built> open_;    ///< tracks no coherence
    std::unique_ptr<Built> tracked_; ///< tracks all
    Built* at_ = nullptr;            ///< what is being built
    std::vector<Thread> threads_;
    std::map<std::pair<LocationId, ValueId>, std::vector<OpAt>> writers_; ///< in the question's history
    std::vector<Frame> frames_;
    std::vector<Option> options_;                         ///< of the thread last asked about
    std::set<LocationId> untracked_;                      ///< asked about in the end, and not tracked
    std::vector<std::vector<std::optional<OpAt>>> hints_; ///< by thread and operation: what it read from the last time
    std::vector<Moment> run_;
    std::vector<EventId> racing_;
    std::uint32_t ticks_ = 0;
};

} // namespace heddle

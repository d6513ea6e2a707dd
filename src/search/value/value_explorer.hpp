// ValueExplorer: one execution for each vector of values read.
//
// Two executions are the same when every read gets the same value (maximal causality reduction: Huang, PLDI 2015; for TSO and PSO: Huang and Huang,
// OOPSLA 2016). The papers ask an SMT solver for an execution in which one read gets a value that it has not had. Here histories are grown, and
// the Realizer is asked whether a history has an execution.
//
// The search. What a thread does next without reading (a write, a fence, a start, ...) is never a choice: it is added at once, since it can always come
// last. When all threads stand at reads, the lowest that is not postponed branches: over the values with which the history stays realizable, and
// over being *postponed*: it is to read something that is not there yet. A postponed read goes on only with a value that the writes added since have
// made realizable; what was realizable before them is another branch's. (All values of its location are asked about, not only those just written: an
// earlier read may now be explained by the new write, which frees another value.) An update is a read and a write in one.
//
// Threads that wait. A lock, a wait for a value, a spin loop does not read a value that does not let it go on (dpor/spin.hpp), so when none is there it is
// postponed whether it wants or not. When nobody can go on, and every postponed read is of that kind, and some run of the history ends with memory such
// that all of them wait for good, then that is a blocked execution.
//
// What is thrown away. The search below a node depends on the history and on who is postponed, on nothing else, and the more are postponed the less is
// below. So a history that comes up again, with at least the same threads postponed, is not explored again (`visited_`). An exploration whose
// postponed reads never get anything new ends with nothing, too. Both are `dead_ends`. A vector of values is counted once (`found_`); coming to it again is
// `redundant`.
//
// What is not decided by values alone (is an access before the free of its object? what is in memory in the end?) is asked of the Realizer: is there a
// run of this history in which it goes wrong?
#pragma once

#include "graph/execution_graph.hpp"
#include "machine/machine.hpp"
#include "model/registry.hpp"
#include "search/check_options.hpp"
#include "search/dpor/cells.hpp"
#include "search/dpor/endings.hpp"
#include "search/dpor/steps.hpp"
#include "search/session.hpp"
#include "search/value/certain_order.hpp"
#include "search/value/forced_order.hpp"
#include "search/value/foreknowledge.hpp"
#include "search/value/history.hpp"
#include "search/value/known_execution.hpp"
#include "search/value/known_run.hpp"
#include "search/value/realizer.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

class GraphRealizer;

/// A value as it stands in vectors of values.
std::string text_of(const Value& v);

/// What a test may watch: the vector of values of each execution found, repeated ones too: of each thread in turn, "THREAD:VALUE " for each value read
/// and "THREAD:choice NUMBER " for each choice.
using VectorObserver = std::function<void(const std::string& text, bool blocked)>;

class ValueExplorer {
  public:
    ValueExplorer(Session& session, const CheckOptions& options, const ModelEntry& model, Lessons& lessons,
                  VectorObserver observer);
    CheckResult run();
    /// Is there anything in the program, the library apart, that says at once that it has to be explored under its model (value_sequential.cpp)?
    [[nodiscard]] static bool is_weak(const Program& program);

  private:
    /// `model`: by which histories are realized.
    ValueExplorer(Session& session, const CheckOptions& options, const ModelEntry& model, Lessons& lessons,
                  VectorObserver observer, bool judges_races, bool is_sequential);
    /// Where a thread stands.
    struct Position {
        Step* step = nullptr;
        std::uint32_t part = 0; ///< of an access in pieces: how many are done
    };
    struct Thread {
        Position at;
        bool exists = false;
        bool told = false; ///< the trap it stands at has been reported
        bool joined = false;
        bool noted = false;         ///< it stands at a read, and what there is to know about that was noted
        bool postponed = false;     ///< its read waits for something new
        bool asks = false;          ///< postponed, and something was written since it was asked
        std::uint32_t baseline = 0; ///< of a thread that asks: the first of its `baselines_`
    };
    /// What was changed, with what was before.
    struct Edit {
        ThreadId thread;
        Thread before;
        enum class Kind : std::uint8_t {
            Stand,
            Push,
            Alloc,
            Free,
            Run,       ///< another known run; the one before is the last of `runs_before_`
            Execution, ///< the same of the known execution
        } kind = Kind::Stand;
        Address object = 0; ///< of Alloc, Free
    };
    struct Reading {
        ValueId value{};
        std::shared_ptr<const KnownRun::Saved> run{}; ///< with it. Null: none is known, or the known run has a place for it
        std::shared_ptr<const KnownExecution::Saved> execution{}; ///< the same
    };
    struct Option {
        enum class Kind : std::uint8_t { Reading, Postpone, Number } kind = Kind::Reading;
        Reading reading{};
        std::vector<Reading> rest{}; ///< of Reading: further ones, of the same iteration (value_iterations.cpp)
        std::uint64_t number = 0;
    };
    struct Frame {
        ThreadId thread;
        std::size_t edits = 0; ///< before it
        std::size_t baselines = 0;
        std::vector<Option> options;
        std::size_t next = 0;
    };

    /// The history as it was.
    struct Baseline {
        Lengths lengths;
        Fingerprint fingerprint;
        std::uint64_t run; ///< KnownRun::version
        bool is_run_known;
        std::uint64_t execution = 0; ///< KnownExecution::version
        bool is_execution_known = false;
        std::uint32_t stores = 0; ///< how many of `stored_` it has
        std::uint32_t tried = 0;  ///< operations of the thread asked about that it did not have: an iteration that is only tried
    };
    /// A store of the history.
    struct Stored {
        LocationId location;
        ValueId value;
        bool ousts; ///< another thread has read the value there before it was added, and may have read it from here
    };

    // --- the stack of choices
    void search();
    /// Goes one step further. False: this way is at its end.
    bool grow();
    bool choose(ThreadId t, std::vector<Option> options);
    /// One of these, or to be postponed if it may be, or if there is none.
    bool choose_reading(ThreadId t, std::vector<Option> options, bool may_be_postponed);
    void apply(ThreadId t, const Option& o);
    bool backtrack();
    /// Back to where nothing has been done.
    bool start_over();
    /// The same ones in each run of the program.
    [[nodiscard]] std::size_t any_number_below(std::size_t count);
    void undo(std::size_t edits);
    Thread& change(ThreadId t, Edit::Kind kind = Edit::Kind::Stand, Address object = 0);
    /// Has this history been explored with nobody else postponed?
    bool was_here();

    // --- threads and what they do (value_threads.cpp)
    /// Does what the thread stands at if that is no choice.
    bool do_at_once(ThreadId t);
    bool look_at(ThreadId t);
    [[nodiscard]] const char* join_fault(const Action& join) const; ///< null: it is no join, or nothing is wrong with it
    void locate(Step& s) { cells_.locate(memory_.objects(), s); }
    [[nodiscard]] LocationId location_of(const Step& s, std::uint32_t part) {
        return cells_.location(memory_.objects(), s, part);
    }
    [[nodiscard]] Step& step_of(ThreadId t) { return *threads_[t.index].at.step; }
    [[nodiscard]] bool finished(ThreadId t);
    [[nodiscard]] bool stands_at_read(ThreadId t);
    void push(ThreadId t, HistoryOp op, Edit::Kind kind = Edit::Kind::Push, Address object = 0);
    void go_past(ThreadId t, Edge& edge);
    void write(ThreadId t);
    void spawn(ThreadId t);
    void read(ThreadId t, ValueId v);
    void take(ThreadId t, const Reading& reading);
    void pass_fence(ThreadId t);
    [[nodiscard]] static HistoryOp fence_op(Step& s);
    /// The history as it was before a write; nothing: writes in a row.
    void wrote(std::optional<Baseline> before, ThreadId by);
    [[nodiscard]] Baseline here() const {
        return {history_.lengths(),
                history_.fingerprint(),
                run_.version(),
                run_.is_known(),
                execution_.version(),
                execution_.is_known(),
                static_cast<std::uint32_t>(stored_.size())};
    }
    void offer_numbers(const Action& a, std::vector<Option>& options);
    void prune_steps();

    // --- what a read may read (value_reads.cpp)
    [[nodiscard]] HistoryOp read_op(const Position& at, ValueId v);
    [[nodiscard]] HistoryOp read_op(ThreadId t, ValueId v) { return read_op(threads_[t.index].at, v); }
    /// What was read by these pieces of it.
    [[nodiscard]] Value whole_of(const Step& s, std::span<const HistoryOp> pieces) const;
    [[nodiscard]] ValueId initial(LocationId l);
    /// Is there no write left from which the update could take what it reads? Each write is replaced at most once, whatever the model: between two
    /// updates that replace a value by another, somebody must store it.
    [[nodiscard]] bool is_used_up(const HistoryOp& update, const Lengths& lengths);
    /// Does the history, or so much of it, stay realizable if the thread reads `v` now?
    /// `stores`: if it is an update, it writes too.
    bool can_read(ThreadId t, ValueId v, const Baseline* baseline, bool stores = true);
    /// What it may do by reading: a value, or those of a whole iteration; without what would not let it go on. `any`: one is enough.
    std::vector<Option> readings_for(ThreadId t, bool any = false);
    /// Those that something written since it was last asked has made possible. Pre: it asks.
    std::vector<Option> new_readings_for(ThreadId t, bool any = false);
    /// Has something been stored since that might make one of them possible? (See stores_it_may_need. What is not asked about then, because the thread is kept from
    /// reading it only by storing, was asked about when it was last asked: note_prevented_store.)
    bool may_have_news(ThreadId t);
    /// The same of one value.
    bool may_be_new(ThreadId t, ValueId v);
    /// Of one read: all values that it may read now. `only_new`: may leave out some that it could read before, too.
    std::vector<ValueId> values_for(ThreadId t, bool any = false, bool only_new = false);
    /// Could it not read `v`, which it can now, in one of the histories from its `baseline` on? `tried`: with the reads of its iteration that are only tried.
    bool is_new(ThreadId t, ValueId v, std::size_t baseline, bool tried);
    /// How many of `stored_` one must have for it to be certain that `v` can be read, if it can with all of them.
    [[nodiscard]] std::uint32_t stores_it_may_need(ThreadId t, ValueId v, const Baseline& first);
    [[nodiscard]] Reading reading(ThreadId t, ValueId v) const;
    /// What is certain is known at once as long as values do not repeat. If they do, more follows from what is forced, unless the history is too long for that.
    [[nodiscard]] bool asks_certain_order() {
        return asked_.tuning.certain_order && (certain_.is_cheap() || !forced_ || forced_->is_full());
    }
    /// The same, asked of the Realizer. `as_it_is`: it does what it would do if it read that.
    bool seek_run(ThreadId t, const HistoryOp& op, const Baseline* baseline, bool as_it_is);
    void know_run(const KnownRun::Saved& run);
    /// A run of the history with `op`, which has been found. `lengths`: with it. `as_it_is`: see seek_run.
    void keep_run(ThreadId t, const HistoryOp& op, std::span<const Moment> run, const Lengths& lengths, bool as_it_is);
    void know_execution(const KnownExecution::Saved& execution);
    /// The same, asked of what is forced, where that knows all.
    std::optional<bool> decide(ThreadId t, const HistoryOp& op, const Baseline* baseline, const Lengths& lengths, bool as_it_is);
    /// Of what the location holds at some time, as far as is known, its first value first: is it so of one of them? `test` may add to the history what it takes back.
    template <class Test> bool any_candidate(LocationId l, const Test& test) {
        const ValueId first = initial(l);
        if (test(first)) {
            return true;
        }
        for (std::size_t k = 0; k < history_.written(l).size();
             ++k) { // what is added and taken back comes last, and may move the others
            if (const ValueId v = history_.written(l)[k].value; v != first && test(v)) {
                return true;
            }
        }
        return false;
    }
    /// The same, of what the read `s`, if the thread does it right before `at`, which may be its next operation, might read; may leave out what it certainly cannot. Most of what has been
    /// there in a long history is overwritten, and a load need not be asked about that value by value. (An update may be kept from reading something only by storing, which is asked about.)
    template <class Test> bool any_live(OpAt at, const Step& s, LocationId l, const Test& test) {
        const bool are_few = history_.written(l).size() < 2; // then there is not much to leave out
        if (s.action.kind != ActionKind::Load || are_few || !asks_certain_order()) {
            return any_candidate(l, test);
        }
        std::vector<ValueId> live = std::exchange(live_, {}); // the test may come here again
        certain_.find_live(at, l, live);
        // In the same order as otherwise: what was there at first lets threads out of loops that would never end with what they have written themselves (tests/zoo/burns.c).
        const bool found = any_candidate(l, [&](ValueId v) { return std::ranges::find(live, v) != live.end() && test(v); });
        live_ = std::move(live);
        return found;
    }
    /// The same, of the read that the thread stands at.
    template <class Test> bool any_readable(ThreadId t, LocationId l, const Test& test) {
        return any_live({t, static_cast<std::uint32_t>(history_.thread(t).size())}, step_of(t), l, test);
    }
    template <class Visit> void for_each_candidate(LocationId l, const Visit& visit) {
        any_candidate(l, [&](ValueId v) {
            visit(v);
            return false;
        });
    }

    // --- loops that try again, an iteration at a time (value_iterations.cpp)
    /// Does the thread stand at the first read of an iteration that is done as a whole?
    [[nodiscard]] bool begins_iteration(ThreadId t);
    struct Trial;
    std::vector<Option> iterations_for(ThreadId t, bool only_new, bool any);
    void extend_iteration(Trial& trial, bool is_new);
    /// Having read so much of an iteration, is there more of it?
    bool is_in_iteration(ThreadId t);
    /// The next read of an iteration of which `s` is what comes next; null: it is over.
    Step* next_read(Step* s);
    /// The reads of the iterations that the thread could do next, whatever it finds of what has been at their locations: by location.
    struct ReadsThere {
        LocationId location;
        std::vector<Step*> reads;
    };
    std::span<const ReadsThere> reads_ahead(ThreadId t);
    static constexpr unsigned kManyWays = 1000; ///< of look_ahead: it then gives up
    void look_ahead(Step* s, std::vector<ReadsThere>& reads, unsigned& ways);
    /// Does the iteration fail if it finds the latest values?
    [[nodiscard]] const Edge* failing(ThreadId t, const std::function<ValueId(LocationId)>& latest);
    /// May it, if nobody stores any more where it reads?
    bool may_fail(Step* s);
    /// Lets the iterations of the loop of a thread that is postponed for nothing be done as a whole, from the next attempt on.
    void learn_whole();
    [[noreturn]] void learn_waiting(ThreadId t);
    /// Objects come to an end while others might be in an iteration that fails, and read them.
    void learn_ending();

    // --- races of iterations that fail (value_failures.cpp)
    class Failures;
    /// Where a thread comes to the head of a loop.
    struct LoopEntry {
        OpAt at;            ///< what it does next, or would
        Step* step;         ///< there
        const Step* before; ///< the one before it; null: the thread begins so
    };
    /// Without those that are certainly harmless.
    [[nodiscard]] std::vector<LoopEntry> loop_entries();
    /// Is no iteration that begins there and fails in conflict with what anybody does, in any history?
    bool is_harmless(const LoopEntry& entry);
    bool is_harmless(const LoopEntry& entry, Step& s, bool conflicts, unsigned& ways);
    /// What was seen of a location, in whatever history.
    struct FoundThere {
        bool is_plain = false;         ///< somebody has accessed it plainly
        bool is_followed = false;      ///< iterations that fail may read it. From then on:
        std::vector<ValueId> values{}; ///< that were there
    };
    void note_found(const HistoryOp& access);
    const std::vector<ValueId>& values_found(LocationId l);
    /// Is a step that follows one of an iteration that began there part of the iteration, too?
    [[nodiscard]] static bool is_part(const LoopEntry& entry, const Step& next);
    /// Does that end an iteration that began there, without success?
    [[nodiscard]] static bool fails(const LoopEntry& entry, const Edge& edge);
    /// Is what is accessed there, and is it known where that is?
    bool can_be_read(Step& s);
    /// Might an iteration that begins there, of which `s` is what comes next, fail and be in conflict with what somebody else does? `conflicts`: what came before `s` is.
    /// `known`: what certainly happens before and after, if that is known; what that orders does not count.
    bool may_conflict(const LoopEntry& entry, Step& s, bool conflicts, const ForcedOrder::Knowledge* known, unsigned& ways);
    /// Of the history with an iteration put in.
    void check_races_with(const std::vector<HistoryOp>& iteration, OpAt at);
    /// Of the execution found, and of the iterations that fail.
    void check_races_and_failures();

    // --- programs that are explored as if under sc (value_sequential.cpp)
    /// Is that so, and no reason against it known? `model`: the one that is asked about.
    [[nodiscard]] static bool may_be_sequential(const CheckOptions& options, const ModelEntry& model, const Lessons& lessons);
    /// Pre: is_sequential_. Explores the program under its model if a thread does this.
    void look_for_weakness(ThreadId t, const Action& a);
    /// Is it plain; or if is_sequential_, not seq_cst?
    [[nodiscard]] bool counts_as_plain(const Action& access) const;
    /// The same at the end of an execution.
    void look_for_weakness();
    [[noreturn]] void learn_weak();

    // --- is it worth postponing a read? (value_foresight.cpp)
    /// Should the thread be postponed? It may then come to read something that it cannot read yet, or wait for good.
    bool is_worth_postponing(ThreadId t);
    /// Does nobody else ever write where the thread reads? Then what it reads is settled.
    bool is_settled(ThreadId t);
    /// May the thread come to read something that it cannot read yet? Pre: its outlook is good.
    bool may_get_more(ThreadId t);
    /// Of all threads that stand still, and `also`, which is about to.
    enum class Outlook : std::uint8_t {
        Bad,          ///< one of them can neither come to read something new nor wait for good
        WaitsForGood, ///< `also` can only wait for good
        Good,
    };
    Outlook outlook(std::optional<ThreadId> also);
    /// May something that others still do, as `now` says, let the postponed read go on? If not, that is not claimed yet.
    bool may_be_helped(ThreadId t, const Foreknowledge::Now& now);
    bool may_be_helped_at(Step& read, const Foreknowledge::Now& now);
    /// May the postponed read come to read something that is there already? Not if nothing that is there is for it; nor if one thing is, which is certain to be the
    /// last, and nobody stores there any more: that can be read at any time, and nothing else ever.
    bool may_be_freed(ThreadId t, const Foreknowledge::Now& now);
    /// May memory in the end hold something that does not let it go on?
    bool may_wait_for_good(ThreadId t, const Foreknowledge::Now& now);
    /// Does the thread do nothing more, unless something that it waits for comes? It has ended, or is postponed, or waits for what nobody has written (or what is certainly overwritten).
    [[nodiscard]] bool stands_still(ThreadId t);
    /// How far each thread is, for Foreknowledge: those that stand still do nothing more, nor does `t`. In `buffer`.
    const Foreknowledge::Now& now_without(std::optional<ThreadId> t, Foreknowledge::Now& buffer);
    /// See History::may_be_last; remembered.
    struct Last {
        Fingerprint accesses{~std::uint64_t{0}, 0}; ///< History::print_of
        Fingerprint objects{};                      ///< History::print_of_stores, if other objects might be there
        std::vector<ValueId> values;
        bool certain = false;
    };
    const Last& may_be_last(LocationId l);
    void note_read(ThreadId t, LocationId l);
    /// It stores as its next operation, or may.
    void note_store(ThreadId t, LocationId l);
    /// It stores this as its next operation. Pre: the store is not in the history yet.
    void note_stored_value(ThreadId t, const HistoryOp& store);
    /// Where in the program it stands; 0: it is not there, or that is not known.
    [[nodiscard]] std::uint32_t standing(ThreadId t);
    void note_repetition(const HistoryOp& store);
    /// An update that cannot read `v` may have been kept from it only by storing. Then it is as good as seen storing (foreknowledge.hpp).
    void note_prevented_store(ThreadId t, ValueId v);
    /// Is the thread at an update that stores nothing whatever it reads of what has been there?
    [[nodiscard]] bool stands_at_idle_update(ThreadId t);
    /// Something was relied on that is not so: the search has to start again.
    void surprised();
    [[noreturn]] void start_again();
    /// From now on any choice is taken, and at the end of an execution another is begun: that shows more of what threads do than the neighbourhood of where the search is.
    /// For a few steps; then the search starts again. Nothing that goes wrong meanwhile is told.
    void look_around();

    // --- how executions end, and what is wrong with them (value_properties.cpp)
    void leaf();
    void blocked_leaf();
    /// Does memory certainly hold in the end, if nobody does anything more, what lets the thread go on?
    [[nodiscard]] bool cannot_wait_for_good(ThreadId t);
    [[nodiscard]] bool waits_for_good(ThreadId t, const std::function<ValueId(LocationId)>& latest);
    [[nodiscard]] std::optional<Value> latest_value(const Action& a, const std::function<ValueId(LocationId)>& latest);
    /// What is wrong with the next read of a thread that waits, if it is of what has ended.
    [[nodiscard]] std::optional<Trap> awaited(const ThreadState& at, const Action& a);
    /// At the end of an execution: does a thread wait to read what has ended?
    bool check_awaited();
    bool count(std::uint64_t& counter, bool blocked);
    void check_access(ThreadId t, std::uint32_t op);
    void check_free(ThreadId t, std::uint32_t op);
    void check_leaks();
    /// `look`: called for each execution that is built, until it says that it was enough.
    void check_races(const std::function<bool()>& look = {});
    [[nodiscard]] bool may_race() const;
    void report_lifetime(Fault fault, ThreadId t, std::uint32_t op, ThreadId freed_by, std::uint32_t free);
    void report(Trap trap, ThreadId thread, const Question& question, const std::vector<OpAt>& about = {},
                std::vector<Violation::Other> also = {});
    [[nodiscard]] Question whole() const { return {.lengths = history_.lengths(), .order = {}, .ends_well = {}, .shown = true}; }
    bool ask(const Question& question);
    [[nodiscard]] Realizer& realizer_for(const Question& question) {
        return question.is_race_sought && race_realizer_ ? *race_realizer_ : *realizer_;
    }
    [[nodiscard]] Witness witness(const Question& question, const std::vector<OpAt>& about, std::vector<std::size_t>& positions);
    void assume(Assumption a);
    void stop(Verdict verdict, std::string reason, PlaceId place = {});
    void look_at_budgets();
    [[nodiscard]] std::string vector_of_values() const;

    Session& session_;
    const CheckOptions& asked_;
    Lessons& lessons_;
    Machine machine_;
    ExecutionGraph places_; ///< knows the locations; has no events
    Cells cells_;
    Memory memory_; ///< every object, with the bytes it starts with
    Steps steps_;
    History history_;
    std::unique_ptr<Realizer> realizer_;
    GraphRealizer* by_graph_ = nullptr; ///< the one of the two that builds executions; null: none does
    std::unique_ptr<Realizer>
        machine_realizer_; ///< by a machine that does nothing the model does not allow; null: none is known, or it is `realizer_`
    std::unique_ptr<Realizer> race_realizer_; ///< for questions about races; null: it is the same, or they are not asked about
    VectorObserver observer_;
    CheckResult result_;
    bool stopped_ = false;

    std::vector<Thread> threads_; ///< by ThreadId
    std::vector<Edit> edits_;
    std::vector<Frame> frames_;
    /// The history before writes and updates of the present path. What a thread that asks can read now is new if it could not be read in one of those
    /// since its `baseline`: an update may take a chance away that the next write gives back. Of writes in a row the first is enough.
    std::vector<Baseline> baselines_;
    bool in_a_row_ = false;      ///< nothing was read since the last of them
    std::vector<Stored> stored_; ///< in the order in which they were added
    /// Object -> its frees, in the order in which they were added: more than one is wrong. Never an empty list.
    std::unordered_map<Address, std::vector<OpAt>> frees_;
    std::vector<std::optional<ValueId>> initial_; ///< by location; forgotten when objects come and go
    bool judges_races_;
    bool is_sequential_; ///< see value_sequential.cpp
    Foreknowledge known_;
    Foreknowledge::Now now_;                             ///< of now_without nobody; if it is known:
    bool is_now_known_ = false;                          ///< forgotten with every change
    Foreknowledge::Now outlook_now_;                     ///< of outlook, while it is found
    Foreknowledge::Now without_now_;                     ///< of who asks for now_without otherwise
    std::vector<ThreadId> stuck_;                        ///< of outlook
    std::vector<std::pair<LocationId, ValueId>> latest_; ///< of may_fail; empty between questions
    std::vector<Last> last_there_;                       ///< by location
    /// See reads_ahead; remembered.
    struct Ahead {
        Fingerprint stores{~std::uint64_t{0}, 0}; ///< History::print_of_stores
        const Step* from = nullptr;
        std::vector<ReadsThere> reads;
    };
    std::vector<Ahead> ahead_; ///< by thread
    bool foresees_ = true;
    bool surprised_ = false;
    std::uint64_t grown_steps_ = 0;     ///< calls of grow
    std::uint64_t stop_growing_at_ = 0; ///< once surprised, or looking around
    bool looks_around_ = false;         ///< see look_around
    std::uint64_t random_ = 1;
    std::uint32_t allocs_ = 0;
    bool heap_before_ = false;
    bool grown_ = true; ///< something was added to the history since was_here

    /// A set of postponed threads, by bits, with which a history was explored, and where in postponed_ the next one is, plus one.
    struct Postponed {
        std::uint64_t threads;
        std::uint32_t next;
    };
    FingerprintTable<std::uint32_t> visited_; ///< history -> where in postponed_ its list begins, plus one
    std::vector<Postponed> postponed_;
    FingerprintTable<std::uint8_t> found_;   ///< histories of executions
    FingerprintTable<std::uint8_t> answers_; ///< of can_read; a cache
    CertainOrder certain_;
    std::vector<ValueId> live_;   ///< of any_live
    std::vector<Moment> moments_; ///< of decide: the run found
    Lengths lengths_asked_;       ///< of seek_run
    std::optional<ForcedOrder> forced_;
    std::optional<ForcedOrder> machine_forced_; ///< the same of `machine_realizer_`
    KnownRun run_;
    std::vector<KnownRun::State> runs_before_; ///< see Edit::Kind::Run
    KnownExecution execution_;
    std::vector<KnownExecution::State> executions_before_; ///< see Edit::Kind::Execution
    /// Runs of the history at hand with a read more, for which the known run had no place.
    struct Found {
        ThreadId thread;
        ValueId value;
        std::shared_ptr<const KnownRun::Saved> run;
        std::shared_ptr<const KnownExecution::Saved> execution;
    };
    std::vector<Found> found_runs_;
    std::vector<std::uint32_t> failure_clocks_; ///< see Failures
    std::vector<FoundThere> found_there_;       ///< by location
    bool is_any_plain_ = false;                 ///< some of them are
    std::uint32_t findings_ = 1;                ///< goes up with each thing that is new there
    bool is_certain_of_races_ = false;          ///< the order of `certain_` is the happens-before by which races are told
    std::set<std::string> reported_;
    std::set<std::pair<std::string, std::uint32_t>> assumed_;
    ExecutionLengths lengths_; ///< of the executions so far
    std::chrono::steady_clock::time_point last_look_;
    std::uint32_t ticks_left_ = 1;
};

/// Explores by values, starting again when something was learnt. Pre: the model is no processor's.
CheckResult explore_by_value(Session& session, const CheckOptions& options, const VectorObserver& observer = {},
                             Lessons* lessons = nullptr);

} // namespace heddle

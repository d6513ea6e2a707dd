// Explorer: every consistent execution of a program exactly once, remembering nothing of what it has visited.
//
// The algorithm is that of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022). An execution grows by the next event of the
// lowest thread that can go on. A read branches over the writes present; a write over its places in coherence. A write that comes too late
// for a read already there *revisits* it: what was added after the read, and is not needed by the write, is cut away, and the read now reads
// from the write. To come to each execution one way only, a revisit is made only when everything it cuts away, and the read itself, had been added
// *canonically* (the latest choice in coherence, read by nobody who stays): any other way to have added them is another branch's
// business. An atomic update is two events, a read and a write, so that the write has revisits of its own.
//
// Waiting. A thread that waits for a value (a lock, a flag, a spin loop whose iteration changed nothing) is never made to read one that
// does not let it go on. When the latest write in coherence does not satisfy it, it may stand still: a Wait marks in `order` where that was decided.
// It goes on as soon as a later write satisfies it, in place, with nothing cut away; what was there before the Wait was offered then. (The idea
// of resuming in place is that of Awamoche: Kokologiannakis, Marmanis, Vafeiadis, CAV 2023.) A write that takes away a read's chance
// (it locks the lock first) revisits the read by turning it into a Wait because of that write. At the end a thread that still waits is
// blocked for good: the latest write does not satisfy it.
//
// So an execution in which a thread reads w, or waits for good, may be reached with the read waiting because of some write u in between, or
// without. To decide, call a write u *eligible* for a read (or Wait) that was decided before it if u does not satisfy it, does not need it, and comes
// last in coherence of all that was there before the decision or that u needs: then u could take the chance away. The way is by the first
// eligible write in coherence, if any eligible one is needed by w or comes before w, or if the thread waits for good; otherwise the
// read is revisited by w. All of that is known as soon as w and u have their places, and the latest place is never ruled out:
// hence no way ends with nothing (explorer_waits.cpp). A thread that waits because of u goes on when it can read something that needs u,
// or when nobody else can go on.
//
// One kind of exploration that ends with nothing (dead_ends) is left: a loop that waits, and whose iteration reads several locations (while (a && b)), has
// read an old value of the first and waits at the second; at the end the latest values would let it out. Whether the second will still
// change so that the old value of the first counts, nobody knows before the end. Loops that do not wait but try again have none of these
// (explorer_iterations.cpp), nor those that wait for one location, nor those that wait for writes of which each knows of the one before (explorer_awaits.cpp, which says why the others are difficult).
// What is published for such loops, Awamoche included, has these explorations too, or waits for one location only.
//
// How it is fast: the graph is edited in place and edits are undone; what threads do is kept as a tree (steps.hpp), so that none is ever replayed;
// the model offers only consistent choices (but for seq_cst under rc11, and for rf, where a choice is asked about once it is made). There is no
// recursion: the path of choices is a stack of frames.
#pragma once

#include "graph/execution_graph.hpp"
#include "machine/machine.hpp"
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"
#include "model/registry.hpp"
#include "search/check_options.hpp"
#include "search/dpor/cells.hpp"
#include "search/dpor/crew.hpp"
#include "search/dpor/endings.hpp"
#include "search/dpor/failure_memo.hpp"
#include "search/dpor/steps.hpp"
#include "search/session.hpp"
#include "support/function_ref.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace heddle {

/// What a test may watch: the canonical text (graph/execution.hpp) of each execution found.
using ExecutionObserver = std::function<void(const std::string& text, bool blocked)>;

class Explorer {
  public:
    /// `lessons` is what earlier attempts learnt; LessonLearnt is thrown when this one learns more. With a crew, this is its worker number
    /// `worker`: the first starts with the whole search, the others with what they are given.
    Explorer(Session& session, const CheckOptions& options, const ModelEntry& model, Lessons& lessons, ExecutionObserver observer,
             Crew* crew = nullptr, unsigned worker = 0);
    /// The verdict says why the search was stopped, if it was; the rest is for explore() to judge.
    CheckResult run();

  private:
    /// Where a thread stands. Kept for every event, as it was before it.
    struct Position {
        Step* step = nullptr;
        EventId waiting = kNoEvent;   ///< the newest Wait at this very place
        std::uint32_t index : 24 = 0; ///< of its next event in the thread's order; the graph notices when it is too small
        std::uint32_t part : 8 = 0;   ///< of an action that takes several events: how many are there already
    };
    /// When a thread that waits was found to have nothing to go on with.
    struct Idle {
        EventId wait = kNoEvent;
        std::uint32_t writes = 0; ///< of the location
        std::uint64_t when = 0;   ///< see finds_sources
        std::uint32_t stamp = 0;  ///< of the newest event then
    };
    struct alignas(64) Thread { // found by a shift
        Position at;
        Idle idle{};
        bool told = false; ///< the trap it stands at has been reported
    };
    /// What is known of an event beyond the graph's view of it. By slot.
    struct alignas(64) Note {
        Position before;
        Value value;                        ///< read, written or chosen; result of an End
        std::uint64_t failures_look_at = 0; ///< of the first read of an iteration: bits of locations, see explorer_failures.cpp
    };

    // --- the stack of choices
    struct alignas(16) Option { // these and frames are counted all the time: a shift does it
        enum class Kind : std::uint8_t {
            Only,      ///< nothing to choose
            Source,    ///< read from `event`
            Postpone,  ///< stand still, because of `event` if there is one
            Place,     ///< write at rank `number`
            Revisit,   ///< make `event` read from the write
            Number,    ///< choose `number`
            Iteration, ///< do the iteration at `number` of words_
            Void,      ///< go on without the write, if it has no place
        };
        Kind kind = Kind::Only;
        EventId event = kNoEvent;
        /// Of a Revisit: 0, or of an iteration where in words_ is what is kept. Of a Postpone: 0, or one more than its position in the order.
        std::uint32_t number = 0;
        /// Of a Revisit by a write that is not there yet, because of the read before it: what that read reads from. See count_last_pairs.
        EventId source = kNoEvent;
    };
    static_assert(sizeof(Option) == 16);
    /// One step of the path: an action of a thread, which option was taken for it, and all that followed without a choice.
    struct alignas(64) Frame {
        ThreadId thread{};
        std::size_t first_option = 0; ///< in options_
        std::size_t next_option = 0;
        std::size_t end_option = 0;   ///< those from here on are not this search's business
        EventId revisited = kNoEvent; ///< this frame places the write that revisits this read, which has been cut away
        std::uint32_t position = 0;   ///< of that read in the order
        std::uint32_t words = 0;      ///< how many of words_ are older than what its options lead to
        bool has_cut = false;         ///< the option taken is a Revisit: its cut is in force
        std::uint32_t added = 0;      ///< events, in added_
        std::uint32_t passed = 0;     ///< events, in passed_
    };

    enum class Growth : std::uint8_t {
        Grown,
        DeadEnd,
        Leaf,    ///< nobody can go on
        Counted, ///< all that would come has been counted, here or by who gave this part away
    };
    Growth grow();
    /// All there is to choose for the action that the thread stands at.
    void offer_action(ThreadId t);
    void offer(const Option& o) { options_.push_back(o); }
    void offer_numbers(const Action& a);
    void push_frame(ThreadId thread, std::size_t first_option);
    void search();
    /// Takes the top frame's next option that is consistent. False: none is left, and the frame is gone.
    bool advance();
    bool apply(std::size_t frame, const Option& o);
    /// Adds the events of an option that cuts nothing away. False: it is not consistent.
    bool perform(ThreadId t, const Option& o);
    void undo(std::size_t frame);
    /// Takes back what was added since there were `before` of added_.
    void remove_added(std::size_t before);
    void pop_frame();

    // --- budgets, and sharing the work (explorer_sharing.cpp)
    void look_at_budgets();
    void look_at_memory();
    /// Gives the options left in the oldest frame that has any to another worker.
    void give_away();
    /// The new frame is on the path of a job: it takes the choice made there.
    void repeat_choice(Frame& frame);
    [[nodiscard]] bool is_repeating() const { return job_ && repeated_ <= job_->choices.size(); }

    // --- threads (explorer_threads.cpp)
    /// The thread to go on; nothing when nobody can.
    std::optional<ThreadId> next_thread();
    /// The same, looking at all of them.
    std::optional<ThreadId> find_next_thread();
    /// Has only the thread that next_thread found last gone on since then, by a read? That lets nobody else go on.
    [[nodiscard]] bool goes_on_reading() const {
        return idle_lasts_ && graph_.losses() == last_turn_.losses && graph_.size() == last_turn_.size + 1 &&
               graph_[graph_.order().back()].is_read() && graph_[graph_.order().back()].thread == last_turn_.thread &&
               !finished(last_turn_.thread);
    }
    [[nodiscard]] Step& step_of(ThreadId t) { return *threads_[t.index].at.step; }
    [[nodiscard]] const char* join_fault(const Action& join) const; ///< null: nothing is wrong with it
    bool can_go_on(ThreadId t, bool at_the_end);
    /// Fills sources_ of a thread that waits. False: there are none.
    bool finds_sources(ThreadId t);
    /// Is it known that it would find none?
    [[nodiscard]] bool is_idle(const Thread& thread) const {
        return was_idle(thread) && thread.idle.writes == graph_.location(graph_[thread.at.waiting].location).coherence.size();
    }
    /// Is it known that it found none, and have events only been added since?
    [[nodiscard]] bool was_idle(const Thread& thread) const {
        return idle_lasts_ && thread.idle.wait == thread.at.waiting && thread.idle.when == graph_.losses();
    }
    /// Reports what is wrong with what the thread is about to do. False: it can never do it.
    bool look_at(ThreadId t);
    void tell_failure(ThreadId t); ///< reports what it did wrong in passing, if it has not been reported
    void prune_steps();
    [[nodiscard]] bool exists(ThreadId t) const { return graph_.has_events(t); }
    [[nodiscard]] bool ended(ThreadId t) const { return exists(t) && graph_[graph_.last(t)].kind == EventKind::End; }
    /// Has it nothing left to do? Its End is added only when somebody joins it: it would not tell executions apart.
    [[nodiscard]] bool finished(ThreadId t) const { return is_over(t) && (options_asked_.tuning.ends_for_joiners || ended(t)); }
    /// Is nothing left but its End?
    [[nodiscard]] bool is_over(ThreadId t) const {
        const ActionKind next = threads_[t.index].at.step->action.kind;
        return next == ActionKind::Done || next == ActionKind::Exit;
    }
    /// Has it ended the program? Then nobody joins it: the others go on only in so far as they may have been faster.
    [[nodiscard]] bool has_exited(ThreadId t) const { return threads_[t.index].at.step->action.kind == ActionKind::Exit; }
    /// Has somebody ended the program, so that nobody knows what the others would still have done?
    [[nodiscard]] bool program_has_ended() const;
    void make_room_for_threads(std::size_t count) {
        threads_.resize(std::max(threads_.size(), count));
        standing_.resize((threads_.size() + 63) / 64);
    }
    /// Puts the thread there.
    void stand(ThreadId t, const Position& at) {
        Thread& thread = threads_[t.index];
        unfinished_ += (at.part > 0 ? 1u : 0u) - (thread.at.part > 0 ? 1u : 0u);
        thread.at = at;
        thread.told = false;
        note_standing(t);
    }
    /// The first thread from this one on with something left to do; or as many as there are.
    [[nodiscard]] std::uint32_t next_standing(std::uint32_t from) const {
        for (std::uint32_t word = from / 64; word < standing_.size(); ++word) {
            const std::uint64_t bits =
                standing_[word] & (word == from / 64 ? ~std::uint64_t{0} << (from % 64) : ~std::uint64_t{0});
            if (bits != 0) {
                return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
            }
        }
        return static_cast<std::uint32_t>(threads_.size());
    }
    /// Has nobody else anything to do?
    [[nodiscard]] bool is_alone(ThreadId t) const {
        for (std::uint32_t word = 0; word < standing_.size(); ++word) {
            std::uint64_t bits = standing_[word] & ~(word == t.index / 64 ? std::uint64_t{1} << (t.index % 64) : 0);
            for (; bits != 0; bits &= bits - 1) {
                const ThreadId other(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
                if (exists(other) && !finished(other)) {
                    return false;
                }
            }
        }
        return true;
    }
    /// Keeps `standing_` right when the step at which a thread stands has changed.
    void note_standing(ThreadId t) {
        const std::uint64_t bit = std::uint64_t{1} << (t.index % 64);
        std::uint64_t& word = standing_[t.index / 64];
        word = is_over(t) && options_asked_.tuning.ends_for_joiners ? word & ~bit : word | bit;
    }
    /// The thread's next event `e` is there: goes past it.
    void go_past(ThreadId t, EventId e);
    /// The same, when what it leads to is known.
    void go_along(ThreadId t, Step& s, Edge& edge) { stand(t, {.step = steps_.follow(s, edge), .index = next_index(t) + 1u}); }
    /// Goes past events that stayed when what came before them in the thread was cut away.
    void go_past_kept(ThreadId t);
    /// Goes past `e` and what was kept behind it.
    void go_on(ThreadId t, EventId e) {
        go_past(t, e);
        if (graph_.may_have_holes()) {
            go_past_kept(t);
        }
    }
    /// Of the action that the thread stands at; `write`: of the write of an update. Null where dependencies do not count.
    const Needs* needs_of(ThreadId t, bool write) { return graph_.may_have_holes() ? resolved_needs(t, write) : nullptr; }
    const Needs* resolved_needs(ThreadId t, bool write);
    /// Would the access go on with this value?
    bool satisfies(Step& s, const Value& v) { return !s.may_wait || steps_.reading(s, v).satisfies(); }
    void locate(Step& s) { cells_.locate(memory_.objects(), s); }
    [[nodiscard]] LocationId location_for(const Step& s, std::uint32_t part) {
        return s.pieces == 1 ? s.location : cells_.location(memory_.objects(), s, part);
    }
    [[nodiscard]] const Value& value_of(EventId e) {
        const GraphEvent& event = graph_[e];
        return event.kind == EventKind::Init ? initial_value(event.location) : notes_[e.index].value;
    }
    [[nodiscard]] const Value& initial_value(LocationId l) {
        return l.index < initial_.size() && initial_[l.index].known ? initial_[l.index].value : find_initial_value(l);
    }
    const Value& find_initial_value(LocationId l);

    // --- events (explorer_events.cpp)
    /// An event of the thread where it stands: `e.thread` and `e.index` say where.
    EventId add(const GraphEvent& e, std::size_t position, const Value& value) {
        return add(e, position, value, threads_[e.thread.index].at);
    }
    EventId add(const GraphEvent& e, std::size_t position, const Value& value, const Position& before);
    [[nodiscard]] std::uint32_t next_index(ThreadId t) const { return threads_[t.index].at.index; }
    /// Under equivalence rf: the coherence of what is waited on is part of the execution.
    void track(LocationId l);
    /// Can the search go on as if that had been known from the beginning?
    [[nodiscard]] bool can_learn_in_place(LocationId l) const;
    /// The same of a location that a thread stands at, which is tracked from now on where that can be: the execution is completed, for what else there is to learn in it,
    /// before the search starts again.
    void track_from_now_on(LocationId l);
    /// Fills sources_ with the writes that the thread's read may read from now.
    void find_sources(ThreadId t);
    void offer_reads(ThreadId t);
    void offer_writes(ThreadId t);
    [[nodiscard]] GraphEvent read_event(ThreadId t, EventId source);
    /// The read that the thread is about to do, before its source is chosen: what a model needs for a floor.
    [[nodiscard]] GraphEvent reads_there(ThreadId t);
    [[nodiscard]] GraphEvent write_event(ThreadId t);
    [[nodiscard]] Value written_value(ThreadId t, const GraphEvent& e);
    /// A write that is about to be added, whole: a revisit may cut away what comes before it in its own thread.
    struct Pending {
        GraphEvent write;
        Value value;
        Position before;
    };
    [[nodiscard]] Pending pending_write(ThreadId t) {
        Pending pending{.write = write_event(t), .value = {}, .before = {}};
        complete(pending);
        return pending;
    }
    void complete(Pending& pending); ///< `write` is there: fills in the rest
    bool add_read(ThreadId t, EventId source, std::size_t position);
    bool add_write(Pending& pending, std::uint32_t rank);
    /// Adds the write that was offered just now.
    bool place_offered(std::uint32_t rank) {
        complete(offered_);
        return add_write(offered_, rank);
    }
    void add_wait(ThreadId t, EventId because, std::size_t position);
    bool add_other(ThreadId t, std::uint64_t number);
    bool add_spawn(ThreadId t);
    void offer_places(const GraphEvent& write);

    // --- executions that need not be built to be counted (explorer_counting.cpp)
    /// Those that differ in the source of a read after which nothing can happen any more.
    void count_last_reads(ThreadId t);
    /// Those that differ in the source of a read after which one write, which has no choice and revisits nothing, is all that can happen.
    void count_last_pairs(ThreadId t);
    /// The executions that a read leads to behind which there is one write, and nothing else.
    struct LastPair {
        std::size_t executions = 0; ///< none: there is no such write, or what it revisits is too much
        std::size_t longest = 0;    ///< of them: so many events
    };
    /// Those of this read, with this edge of this step: one, and one for each revisit of the write that leads to one. Other revisits are then in last_revisits_.
    [[nodiscard]] LastPair leads_to_last_write(const GraphEvent& read, Step& s, Edge& edge);
    /// Those that differ in the source of a read after which the last thread has one way to its end (explorer_runs.cpp).
    void count_last_runs(ThreadId t);
    class LastRun;
    /// Those that differ in the sources of reads after which nothing can happen any more.
    void count_all_last_reads(ThreadId t);
    class LastReads;
    /// Is there a write without a choice, about which nothing can go wrong, and nothing else after the read at this step that the edge is of? Then its location is filled in.
    [[nodiscard]] bool is_last_write(Step& s, Edge& edge, GraphEvent& write);
    /// Is it a store of one location that is always there, after which its thread has nothing to do?
    [[nodiscard]] bool is_last_store(Step& s);
    /// How many events there are if `write`, which is the last of all, has this prefix and revisits `read`, and that leads to one execution; 0: it may lead to more.
    [[nodiscard]] std::size_t revisit_leads_to_one(const GraphEvent& write, const Value& value, ConstClock prefix, EventId read);
    /// Counts the revisits of a write that is the last event of all, and offers those that may lead to more than one execution.
    void count_revisits(const GraphEvent& write, ConstClock prefix, std::uint32_t youngest);
    /// A revisit that is not in force.
    struct Planned {
        const GraphEvent& write;
        ConstClock prefix;
        EventId read;
    };
    /// May `last`, which follows the read then, revisit something? (True is always right.)
    [[nodiscard]] bool may_revisit_then(const GraphEvent& last, const Planned& revisit);
    /// May this event, which is older than the read, have been added canonically, seen from a write that needs after_revisit_? (True is always right.)
    [[nodiscard]] bool may_be_canonical(EventId e, const Planned& revisit);
    /// The same for the places of a write, which are the options from `first` on. False: it is not the last event of all, or something might be wrong with it.
    bool count_last_writes(const GraphEvent& write, std::size_t first);
    /// Is this access, of a thread that stands at it, one about which nothing can go wrong, and has nobody else anything to do?
    [[nodiscard]] bool is_good_and_last(const GraphEvent& access);
    /// Has the thread nothing to do after this?
    [[nodiscard]] bool ends(Step& s, Edge& edge);
    /// An execution is counted that has another write of the location, with this prefix: see can_learn_in_place.
    void note_unbuilt_write(LocationId l, ConstClock prefix) {
        const auto& co = graph_.location(l).coherence;
        if (co.size() > 1 && !model_->contains(prefix, co.back()) && !model_->tracks_coherence(l)) {
            model_->note_loose(l);
        }
    }
    /// False: the budget is used up.
    bool count_one();

    // --- updates whose write what follows need not wait for (explorer_updates.cpp)
    /// Goes on without the write of an update. False: it has a place, or that could lead to nothing.
    bool add_void(ThreadId t);
    /// May the thread's next update read from `source` although `taker` has taken it?
    [[nodiscard]] bool may_be_void(ThreadId t, EventId source, EventId taker);
    /// What is void and may be forwarded to the read that the thread is about to do.
    [[nodiscard]] EventId forwarding_void(ThreadId t);
    [[nodiscard]] bool may_be_filled(const GraphEvent& write);
    /// Is there something void? Then this is no execution, and may only become one by a revisit.
    [[nodiscard]] bool is_doomed() const;
    /// The read of an update of the thread whose write was cut away; none if there is none.
    [[nodiscard]] EventId unfinished_update(ThreadId t);
    /// Is the choice made for `e`, which was added last, consistent?
    bool is_admitted(EventId e) {
        const GraphEvent& event = graph_[e];
        const EventId chosen = event.is_read() ? event.source : e;
        return (model_->admits_latest() && graph_.co_next(chosen) == kNoEvent) || model_->surely_admits(e) ||
               asks_and_is_admitted(e);
    }
    bool asks_and_is_admitted(EventId e);
    void assume_in_one_piece(EventId update);

    // --- revisits (explorer_revisit.cpp)
    /// `last`: what count_last_writes has said.
    void offer_revisits(const GraphEvent& write, bool last);
    /// Visits the reads that `write`, which is not there yet and has this prefix, may revisit, the youngest first, of those with a stamp up to `youngest`. The visitor says
    /// whether that is enough.
    /// Answers how far it has looked back: the stamp of the event at which it ended, beyond all if there was nothing to look for; 0 if the visitor had enough.
    std::uint32_t for_each_revisit(const GraphEvent& write, ConstClock prefix, std::uint32_t youngest,
                                   FunctionRef<bool(EventId)> visit);
    /// The same of the events from `from` back to `oldest`, where it is known that there is nothing to visit beyond.
    std::uint32_t look_back(const GraphEvent& write, ConstClock prefix, std::uint32_t youngest, FunctionRef<bool(EventId)> visit,
                            std::uint32_t from, std::uint32_t oldest);
    /// How far one looks back for what a last write revisits that needs nothing new, and what that is: see leads_to_last_write.
    struct LastWalk {
        std::size_t size = 0; ///< of the graph then
        std::uint64_t losses = 0;
        ThreadId thread{};
        LocationId location{};
        std::uint32_t oldest = 0; ///< the stamp of the oldest read that could be revisited
        std::uint32_t end = 0;    ///< the stamp of the event at which it ended
        std::vector<EventId> reads{};
        /// Would a write that needs an event with this stamp too look at what is no newer than that?
        [[nodiscard]] bool goes_beyond(std::uint32_t stamp) const { return stamp >= end && stamp >= oldest; }
    };
    /// Looks back for what a write of the location would revisit that needs what its thread needs already, unless that is known.
    const LastWalk& walk_back(ThreadId t, LocationId location);
    /// Can the thread's next update, which would read from `source`, push the update of it by `taker` behind itself?
    [[nodiscard]] bool can_push(ThreadId t, EventId source, EventId taker);
    /// Is it seen at once that a write with which its thread ends after reading from `source` revisits nothing?
    [[nodiscard]] bool revisits_nothing_behind(const GraphEvent& write, EventId source);
    /// Visits what a write revisits with which its thread, which has nothing else to do, ends after this read. The visitor is told the prefix of the write too.
    void for_each_last_revisit(const GraphEvent& write, const GraphEvent& read, FunctionRef<bool(EventId, ConstClock)> visit);
    /// The stamp of the oldest read of the write's location, by another thread, that is not in the write's prefix; beyond all if there is none.
    [[nodiscard]] std::uint32_t oldest_read_outside(ConstClock prefix, const GraphEvent& write) const;
    /// The update that took the source of this write's update, if one did. Only once that one is gone has the write a place: a revisit that does not cut
    /// it away would find none.
    [[nodiscard]] EventId in_the_way(const GraphEvent& write) const;
    /// Does the event stay when a write with this prefix revisits a read at `position` of the order?
    [[nodiscard]] bool stays(EventId e, ConstClock prefix, std::size_t position) const;
    /// The read with which a thread went on from this Wait; none if it still waits.
    [[nodiscard]] EventId resolution(const GraphEvent& wait) const { return graph_.at(wait.thread, wait.index); }
    bool found_after(LocationId location, std::uint32_t rank, std::uint32_t stamp, ConstClock prefix);
    /// Was `e` added canonically, seen from a write with this prefix?
    [[nodiscard]] bool is_canonical(EventId e, ConstClock prefix);
    /// Can a write with this prefix revisit `read`? Then everything after it is canonical.
    [[nodiscard]] bool can_revisit(EventId read, ConstClock prefix);
    /// Was `e` not added canonically, seen from any write? (False is always right.)
    [[nodiscard]] bool is_never_canonical(EventId e) const;
    bool begin_revisit(std::size_t frame, const Option& revisit);
    void end_revisit();
    bool place_and_revisit(std::size_t frame, std::uint32_t rank);
    /// The prefix that the write of the thread's next update would have if it read from `source`, its read apart.
    ConstClock prefix_of_update(ThreadId t, EventId source);
    void take_back(EventId e); ///< what goes with an Alloc or Free that is cut away or undone
    void bring_back(EventId e);

    // --- iterations as a whole (explorer_iterations.cpp)
    /// Ways through an iteration that are looked at for one question; if there are more, its loop is left alone.
    static constexpr unsigned kManyWays = 20'000;
    class Ways;
    class Foresight; // explorer_foresight.cpp
    /// find_iterations without adding events to try them. False: not everything could be told, and nothing has been done.
    bool foresee_iterations(ThreadId t, std::size_t position, FunctionRef<bool(std::size_t end)> accepts);
    /// Which event of such an iteration it is, from 1; 0: none.
    [[nodiscard]] std::uint32_t place_in_iteration(EventId e) const;
    /// Is this, a read, the first of an iteration? Pre: it has been located.
    [[nodiscard]] static bool begins_iteration(Step& s);
    [[nodiscard]] bool is_in_iteration(ThreadId t);
    /// The same of a thread that stands there, and has done all of its last action.
    [[nodiscard]] bool is_in_iteration(Step& s);
    /// Notes that `trial_` is an iteration of a thread, from `position` on.
    void note_iteration(std::size_t position);
    /// The latest write of the location that a read must not be older than because these came before it: its rank.
    [[nodiscard]] std::uint32_t latest_read(LocationId l, const std::vector<EventId>& sources) const;
    /// The loop has led to an exploration that ended with nothing: does its iterations as a whole from now on, by throwing LessonLearnt, if that can help.
    void learn_whole(const LoopRecord& loop);
    /// The loop waits for others: its iterations are not for being done as a whole.
    [[noreturn]] void learn_waiting(const LoopKey& loop);
    [[nodiscard]] bool surely_ends_iteration(ThreadId t, EventId source);
    void extend_iteration(ThreadId t, std::size_t position, FunctionRef<bool(std::size_t end)> accepts);
    void find_iterations(ThreadId t, std::size_t position, FunctionRef<bool(std::size_t end)> accepts);
    /// Does the iteration that begins at this step go on if each read reads what `value` says about its step?
    template <class F> bool goes_through(Step& first, F&& value);
    bool find_latest_iteration(ThreadId t);
    void offer_iterations(ThreadId t);
    void offer_found_iterations();
    bool add_iteration(ThreadId t, std::uint32_t number);
    void add_fence(ThreadId t, std::size_t position);
    void offer_revisits_of_iterations(const GraphEvent& write);
    [[nodiscard]] bool comes_last(EventId write, std::size_t position) const;
    /// The iterations of the thread at `position` that the write, which has just been added, gives rise to: grow() offers them. False: there are none.
    bool find_revisited(ThreadId reader, EventId write, std::size_t position);

    // --- iterations that wait (explorer_awaits.cpp)
    /// The loop of which the step is in an iteration.
    [[nodiscard]] LoopKey loop_of(const Step& s) const { return key_of(*innermost(s.loops.raw(), lessons_.whole)); }
    [[nodiscard]] bool awaits(const Step& s) const {
        return !lessons_.awaiting.empty() && lessons_.awaiting.contains(loop_of(s));
    }
    /// The latest writes make an iteration that begins at this step fail: learns that its loop waits, unless that is known.
    void learn_awaiting(const Step& first);
    /// Is an iteration known to fail, from this step on, having read from another location?
    [[nodiscard]] static bool fails_elsewhere(const Step& s, LocationId l);
    /// Pre: the loop waits for one location. Would an iteration that begins at this step go on if all its reads read this?
    [[nodiscard]] bool goes_on_with(Step& first, const Value& v);
    /// The first read of the iteration that `e` is a read of, if its loop waits for one location; otherwise `e`.
    [[nodiscard]] EventId mark_of(EventId e) const;
    /// Is asked about each read of an iteration that waits. Leaves the loop to reads one by one if it must not be one of these.
    void look_at_awaited(const Step& s);
    /// The same, of a thread that has waited since `wait`, if there is one.
    void look_at_awaited(const Step& s, EventId wait);
    /// Can a thread that waits at the head of its loop go on?
    bool finds_iterations(ThreadId t, bool at_the_end);
    /// Has the iteration in trial_ a source that was not there when the thread began to wait, and may the thread go on with it? Always, if it has not waited.
    [[nodiscard]] bool brings_news(EventId wait);
    /// Where the loop waits for one location: is it this search's business that the thread goes on from there with the iteration in trial_?
    [[nodiscard]] bool wakes(EventId wait);
    /// Does the iteration in trial_ need this write, or read it?
    [[nodiscard]] bool needs(EventId write) const;
    /// Are these sources all that needs what has come after `position` of the order?
    bool need_all(std::span<const EventId> sources, std::size_t position);

    // --- iterations that fail, and are in no graph (explorer_failures.cpp)
    class Failures;
    /// Learns that loops wait of which a failed iteration might come after this Free.
    void look_at_failures(EventId free);
    /// The same at the end of an execution, where one might race.
    void look_at_failures();

    // --- chances taken away (explorer_waits.cpp)
    /// A write, there or about to be.
    struct Candidate {
        ConstClock prefix;     ///< without itself, or with
        std::uint32_t later{}; ///< the rank of the first write that comes after it in coherence
        Value value{};
    };
    /// Would this write, if everything else after `mark` and not in its prefix were cut away, leave the thread that decided something at
    /// `mark` (a Read or a Wait) waiting?
    bool takes_chance(const Candidate& u, EventId mark);
    /// The same of a thread that stands at this step, before the event with this stamp.
    bool takes_chance(const Candidate& u, LocationId location, std::uint32_t stamp, Step& s);
    bool takes_chance(EventId u, EventId mark);
    /// The Wait that the write which took the chance put there: where the thread first waited because of it.
    [[nodiscard]] EventId origin(EventId wait) const;
    /// Can `read` no longer be revisited, because a revisit of an older read needs it?
    [[nodiscard]] bool is_settled(EventId read) const;
    /// Is there, with this write, another way to the same execution: one in which this write was the first to take a chance away?
    bool comes_too_early(const Candidate& u, LocationId location) {
        return u.later < graph_.location(location).coherence.size() && takes_chance_of_reader(u, location);
    }
    bool takes_chance_of_reader(const Candidate& u, LocationId location);
    /// May the thread that waits go on with `w`? Otherwise the read that it was is revisited by `w`.
    bool wakes(EventId w, EventId wait);

    // --- what is wrong (explorer_properties.cpp)
    void leaf();
    /// An execution of so many events has been found.
    void note_length(std::size_t events);
    /// One more execution has been explored. False: it is one too many.
    bool is_within_budget();
    void blocked_leaf();
    [[nodiscard]] PlaceId place_of(EventId e) const { return notes_[e.index].before.step->action.place; }
    [[nodiscard]] Address object_of(EventId e) const { return notes_[e.index].before.step->action.address; } ///< of Alloc, Free
    void check_access(ThreadId t, EventId e) {
        const bool decides = graph_[e].is_read() && decides_by_value(notes_[e.index].before.step->action);
        if (decides || !frees_.empty() || (races_ && graph_.location(graph_[e].location).plain > 0)) {
            look_for_faults(t, e);
        }
    }
    void look_for_faults(ThreadId t, EventId e);
    /// A fault found at event `e`, of which `other` is the other part.
    void report(Fault fault, EventId e, EventId other);
    [[nodiscard]] bool rests_on_failure(ThreadId thread, const std::vector<EventId>& about) const;
    std::vector<EventId> accesses_of_others(ThreadId t, const Object& object);
    void check_free(ThreadId t, EventId e);
    void check_race(ThreadId t, EventId e);
    void check_failed_races(ThreadId t, EventId e);
    Memory final_memory();
    void check_leaks();
    void track_pointers();
    [[nodiscard]] bool waits_for_good(ThreadId t);
    [[nodiscard]] bool has_read_stale(ThreadId t);
    /// What reading the latest write would lead to, of a thread that stands at a read.
    [[nodiscard]] Edge& reading_latest(ThreadId t);
    /// Does the loop fail again when every read in it reads the latest write?
    [[nodiscard]] bool fails_for_good(const LoopRecord& loop);
    [[nodiscard]] std::optional<Value> latest_value(const Action& a); ///< nothing: of several cells
    /// At the end of an execution: does a thread wait to read what has ended?
    bool check_awaited();
    bool check_awaited_races();
    bool check_awaited(ThreadId t, const ThreadState& at, const Action& a);
    void assume(Assumption a);
    void report(Trap trap, ThreadId thread, std::vector<EventId> about = {}, std::vector<Violation::Other> also = {});
    [[nodiscard]] Witness witness(std::vector<std::size_t>* positions) const;
    [[nodiscard]] std::string name_of(const Location& l) const;
    void stop(Verdict verdict, std::string reason, PlaceId place = {});
    void observe(bool blocked);

    Session& session_;
    const CheckOptions& options_asked_;
    Lessons& lessons_;
    Machine machine_;
    ExecutionGraph graph_;
    std::unique_ptr<MemoryModel> model_;
    std::unique_ptr<HappensBefore> own_hb_; ///< for races under models that have no happens-before of C11
    HappensBefore* races_ = nullptr;        ///< where races are judged; null: they are not
    Cells cells_;
    ExecutionObserver observer_;
    Crew* crew_;
    unsigned worker_;
    std::optional<Job> job_;   ///< what is being worked on; nothing: the whole search
    std::size_t repeated_ = 0; ///< how many of its choices have been made; one more: all, and it has begun
    CheckResult result_;
    bool stopped_ = false;
    bool learnt_in_place_ = false; ///< some of what counts was found before a location was tracked: see can_learn_in_place
    bool learnt_ = false;          ///< what has been found counts for nothing: see track_from_now_on
    const bool idle_lasts_;        ///< see finds_sources

    Memory memory_; ///< every object, with the bytes it starts with
    Steps steps_;
    std::vector<Thread> threads_;         ///< by ThreadId
    std::uint32_t unfinished_ = 0;        ///< how many of them are in the middle of an action
    std::vector<std::uint64_t> standing_; ///< by ThreadId, a bit each: it has something left to do (or was never spawned)
    std::vector<Note> notes_;             ///< by slot
    struct Turn {
        ThreadId thread{};
        std::uint64_t losses = 0; ///< of the graph then
        std::size_t size = 0;
    };
    Turn last_turn_; ///< see goes_on_reading
    /// What the last thread has written in a run that is foreseen, or read: see explorer_runs.cpp.
    struct Touched {
        LocationId location;
        bool written = false;
        std::uint32_t rank = 0; ///< of what was read, otherwise
        Value value{};          ///< what was written
    };
    std::vector<Touched> touched_;
    /// What a read can read that is only foreseen, if its thread knows this: see LastReads.
    struct LastChoice {
        bool asked = false;
        bool told = false;
        Order order{};
        LocationId location{};
        std::vector<std::uint32_t> known{};
        std::vector<EventId> sources{};
    };
    std::vector<LastChoice> last_choices_; ///< by how many reads come before it
    LastWalk last_walk_;
    struct HopelessRun {
        ThreadId thread{};
        std::size_t size = 0; ///< up to that many of the thread's events there is no use in foreseeing its run
    };
    HopelessRun hopeless_run_;
    struct Initial {
        bool known = false;
        Value value;
    };
    std::vector<Initial>
        initial_; ///< by LocationId; what was allocated is never known, since the same place may be another object's next time
    /// Object -> its Free; if it is freed more than once (which is wrong, but any of them may be cut away), all of them. Never an empty list.
    std::unordered_map<Address, std::vector<EventId>> frees_;
    std::vector<Frame> frames_;
    std::vector<Option> options_;
    std::vector<EventId> added_;
    /// Events that a thread went past again, with where it stood before them the time before: that was on another path.
    struct Passed {
        EventId event;
        Position before;
    };
    std::vector<Passed> passed_;
    std::vector<Pending> pending_; ///< of the revisits in force
    Pending offered_;              ///< `write` is the one whose places were offered last
    struct Displaced {
        ThreadId thread;
        Position at;
    };
    std::vector<Displaced> displaced_; ///< where threads stood before cuts
    std::vector<EventId> taken_back_;  ///< the Allocs and Frees that cuts took away
    struct CutMark {
        std::size_t displaced;
        std::size_t taken_back;
    };
    std::vector<CutMark> cut_marks_;           ///< one a cut: where its part of these starts
    std::vector<std::uint32_t> update_prefix_; ///< see prefix_of_update
    std::vector<std::uint32_t> after_revisit_; ///< see may_revisit_then
    std::vector<EventId> last_revisits_;       ///< see leads_to_last_write
    std::vector<EventId> sources_;             ///< see find_sources
    bool sources_are_told_ = false;            ///< the model has foretold of each of them that the read may read from it
    /// What options cannot hold. An iteration: its position in the order, how many events, the source of each (none: a fence). What a revisit of an
    /// iteration keeps: how many numbers, the numbers of a clock.
    std::vector<std::uint32_t> words_ = std::vector<std::uint32_t>(1); ///< the first is not used
    std::vector<std::uint32_t> iterations_;                            ///< see find_iterations: where they are in words_
    std::vector<EventId> trial_;                                       ///< the sources of the one that is being tried
    std::vector<EventId> to_try_;               ///< sources of all its reads, those of the first read first
    ClockStack trial_known_;                    ///< what its thread knows with each of its reads, if it is foreseen
    ClockStack trial_prefix_;                   ///< and what each of them needs
    ClockStack way_known_;                      ///< what a thread knows with each source of a way (class Ways)
    std::vector<EventId> latest_;               ///< see find_latest_iteration
    std::vector<EventId> way_;                  ///< the sources of a way (class Ways); none: the new write
    std::vector<std::uint32_t> kept_;           ///< what one of both would keep, as a clock
    std::vector<std::uint32_t> kept_before_;    ///< what other ways through the same iteration would
    std::vector<EventId> stubborn_;             ///< see offer_revisits_of_iterations
    std::vector<std::uint32_t> write_prefix_;   ///< of the new write
    std::vector<std::uint32_t> failure_clocks_; ///< see Failures
    std::unique_ptr<FailureMemo> failure_memo_; ///< null: nothing has been asked
    std::optional<ThreadId> pinned_;            ///< it goes on next, with one of iterations_
    Option pinned_wait_;                        ///< or with this Postpone, if it is one
    EventId waiting_since_ = kNoEvent;          ///< the Wait of the thread whose iterations are looked for, if it waits
    std::map<std::uint32_t, LoopKey> awaited_;  ///< by LocationId: what iterations that wait have looked at
    std::vector<EventId> racing_;               ///< see check_race
    std::uint32_t allocs_ = 0;                  ///< Allocs in the graph
    bool heap_before_ = false;                  ///< something is on the heap before the first event
    bool counted_ = false;                      ///< some of what could be chosen was counted instead of offered
    ExecutionLengths lengths_;                  ///< of the executions so far
    /// Of a location, for one comparison: see found_after.
    struct Later {
        std::uint64_t comparison = 0;
        std::uint32_t last_in_prefix = 0;  ///< rank
        std::vector<std::uint32_t> oldest; ///< by rank: the smallest stamp from there on
    };
    std::vector<Later> later_;     ///< by LocationId
    std::uint64_t comparison_ = 0; ///< of a prefix with all that is there: its number
    std::set<std::string> reported_;
    std::set<std::pair<std::string, std::uint32_t>> assumed_; ///< kind and place
    std::chrono::steady_clock::time_point last_look_;
    std::uint32_t ticks_left_ = 1; ///< of the main loop, before the next look at the budgets
};

/// Explores, starting again when something was learnt. Pre: options.model is a native model. `lessons`, if given: what is known, and then
/// what was learnt.
CheckResult explore(Session& session, const CheckOptions& options, const ExecutionObserver& observer = {},
                    Lessons* lessons = nullptr);

} // namespace heddle

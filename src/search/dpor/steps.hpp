// Steps: what threads do, as a tree that the search walks instead of running them.
//
// What a thread does next is decided by the values it has read (and chosen) so far: addresses and thread ids do not depend on the
// interleaving. So the positions a thread can be in form a tree, with one edge for each value. The machine runs a thread along an edge once; all
// other explorations that come the same way, and there are very many, follow a pointer. What reading a value leads to (does the thread wait,
// does it spin, what does it write back) is kept at the edge too.
//
// The tree is a cache, and is pruned when it has grown: steps that the search does not stand on go. The one thing outside a thread that its
// run can depend on is the extent of objects that another thread allocates. Programs in which the same allocation (the k-th of its thread) has
// different sizes in different executions are noticed (`allocated`), and nothing is remembered then. (That the object is there at all is looked
// at before each access: arrive_without_object.)
#pragma once

#include "graph/execution_graph.hpp"
#include "machine/machine.hpp"
#include "search/dpor/cells.hpp"
#include "search/dpor/spin.hpp"
#include "support/ref.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace heddle {

struct Step;

inline LoopKey key_of(const LoopRecord& loop) { return {loop.head.function, loop.head.loop}; }

/// The innermost of these loops that is one of those; null: none is.
inline const LoopRecord* innermost(const LoopRecord* loops, const std::set<LoopKey>& those) {
    while (loops && !those.contains(key_of(*loops))) {
        loops = loops->outer.raw();
    }
    return loops;
}

/// What becomes of a thread that stands at a step and gets a value: read by a Load, Rmw or Lock, or the outcome of another action.
struct Edge {
    Value value;
    bool waits = false;       ///< a Load, Rmw or Lock cannot go on with it
    bool writes = false;      ///< an Rmw or Lock writes `written` back
    Value written{};          ///< see writes
    Value outcome{};          ///< what the thread is resumed with
    Ref<LoopRecord> futile{}; ///< the loop in which the thread would have failed once more
    Step* next = nullptr;     ///< null: nobody has gone there yet

    /// Does it go on?
    [[nodiscard]] bool satisfies() const { return !waits && !futile; }
};

/// A thread standing at an action. The action is a Loop only if the thread has gone round it too often to believe that it ends.
struct Step {
    Action action;
    ThreadState state;
    Ref<LoopRecord> loops{}; ///< the loops it is in and has had no effect since the heads of
    bool may_wait = false;   ///< a Load, Rmw or Lock: some value might not let it go on
    bool kept = false;       ///< while pruning
    bool looked_at = false;  ///< an access that Explorer::look_at has nothing more to say about
    /// See Explorer::is_last_store. Kept by is_last_write.
    enum class IsLast : std::uint8_t { NotAsked, No, Yes };
    IsLast is_last = IsLast::NotAsked;
    bool foreseen = false;            ///< that it stores, or may, is known (search/value/foreknowledge.hpp)
    bool is_harmless = false;         ///< see ValueExplorer::is_harmless; when that was asked:
    std::uint32_t harmless_asked = 0; ///< in its `findings_`; 0: it was not
    bool failed = false;              ///< something went wrong in passing before the step before: see `failures`
    /// In a loop whose iterations are done as a whole (explorer_iterations.cpp): which event of the iteration this is, from 1 for its first read; 0:
    /// none. (A fence before the first read, with 1 too, is not part of it.)
    std::uint8_t in_iteration = 0;
    bool awaits_one = false;        ///< in such an iteration, of a loop that waits for one location (explorer_awaits.cpp)
    Address awaited = 0;            ///< then: which, if something has been read before
    std::uint8_t pieces = 0;        ///< how many locations an access spans; 0: not known yet
    LocationId location{};          ///< the only or the first of them
    Step* spawned = nullptr;        ///< of Spawn: where the new thread begins
    std::unique_ptr<Needs> needs{}; ///< where dependencies count: of its event; null: not known yet
    std::unique_ptr<Needs> needs_of_write{}; ///< the same of the write of an update
    std::vector<Edge> edges{};
    /// What went wrong in passing since the step before (Action::in_passing). The thread goes on all the same, for the sake of what it does next: where the reads
    /// that made it fail read something else, that is the same, and they may read what comes of it. No execution in which a thread has failed is complete,
    /// and what rests on what it did after that is no violation.
    std::vector<std::shared_ptr<const Trap>> failures{};

    [[nodiscard]] bool is_after_failure() const { return failed || !failures.empty(); }
};

class Steps {
  public:
    /// `remembers`: false runs the machine every time (a test compares). `lessons`: of these, the loops whose iterations are done as a whole.
    Steps(Machine& machine, const Objects& objects, bool remembers, const Lessons& lessons)
        : machine_(machine), objects_(objects), remembers_(remembers), lessons_(lessons) {}

    /// Where a thread in this state comes to stand. `in_iteration`: of the step, unless the thread comes to the head of a loop first. `first`: its next
    /// action, if it has been run to there.
    Step* arrive(ThreadState state, Ref<LoopRecord> loops, std::uint8_t in_iteration = 0, Action* first = nullptr,
                 Address awaited = 0);
    /// An access to an address that nobody gave to the thread: another time there was an object, and now there is none. Where the thread comes to
    /// stand instead, which is its trap; null if there is nothing of the kind. Asked before each access.
    Step* arrive_without_object(const Step& s) {
        return may_vanish(s.action.address) && !objects_.find(s.action.address) ? arrive(s.state, s.loops) : nullptr;
    }
    /// Do objects come and go there?
    [[nodiscard]] static bool may_vanish(Address a) {
        const AddressKind kind = kind_of(a);
        return kind == AddressKind::Heap || kind == AddressKind::Stack;
    }
    /// What a Load, Rmw or Lock that reads `v` leads to. Valid until the next question about the step.
    Edge& reading(Step& s, const Value& v) {
        Edge* const known = find(s, v);
        return known ? *known : read(s, v);
    }
    /// What any other action with this outcome leads to.
    Edge& having(Step& s, const Value& outcome) {
        Edge* const known = find(s, outcome);
        return known ? *known : s.edges.emplace_back(Edge{.value = outcome, .outcome = outcome});
    }
    /// The step at the end of the edge.
    Step* follow(Step& s, Edge& e) { return e.next ? e.next : run(s, e); }
    /// Where the thread that `s` spawns as `id` begins.
    Step* spawned(Step& s, ThreadId id);
    /// The search has performed this Alloc.
    void allocated(const Action& alloc);

    /// The loop that a thread has gone round most often, and how often; 0: none.
    struct Busiest {
        std::uint64_t count = 0;
        PlaceId place{};
    };
    [[nodiscard]] const Busiest& busiest_loop() const { return busiest_; }
    /// The loops in an iteration of which a thread has read something and then come to a compare-exchange: so far.
    [[nodiscard]] const std::vector<LoopKey>& swapping_loops() const { return swapping_; }

    [[nodiscard]] bool are_too_many() const { return steps_.size() >= enough_; }
    /// Deletes the steps that are not `kept`, and all edges. No Edge is valid after it.
    void prune();

  private:
    Edge* find(Step& s, const Value& v) {
        if (!remembers_) {
            s.edges.clear();
        }
        for (Edge& e : s.edges) {
            if (e.value == v) {
                return &e;
            }
        }
        return nullptr;
    }
    Edge& read(Step& s, const Value& v);
    void look_at_awaiting(Step& s) const;
    Step* run(Step& s, Edge& e, std::optional<Ahead> ahead = std::nullopt);

    Machine& machine_;
    const Objects& objects_;
    bool remembers_;
    const Lessons& lessons_;
    std::unordered_map<Address, std::uint64_t> extents_; ///< of every object allocated so far
    std::vector<std::unique_ptr<Step>> steps_;
    std::size_t enough_ = kEnough;
    Busiest busiest_;
    std::vector<LoopKey> swapping_; ///< see swapping_loops

    static constexpr std::size_t kEnough = 10'000; ///< steps before the tree is pruned: about as many kilobytes
};

} // namespace heddle

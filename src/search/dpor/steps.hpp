// Steps: what threads do, as a tree that the search walks instead of running them.
//
// What a thread does next is decided by the values it has read (and chosen) so far: addresses and thread ids do not depend on the
// interleaving. So the positions a thread can be in form a tree, with one edge for each value. The machine runs a thread along an edge once; all
// other explorations that come the same way, and there are very many, follow a pointer. What reading a value leads to (does the thread wait,
// does it spin, what does it write back) is kept at the edge too.
//
// The tree is a cache, and is pruned: see Steps::prune. The one thing outside a thread that its run can depend on is the extent of objects that
// another thread allocates. Programs in which the same allocation (the k-th of its thread) has different sizes in different executions are
// noticed (`allocated`), and nothing is remembered then.
#pragma once

#include "graph/event_id.hpp"
#include "machine/machine.hpp"
#include "search/dpor/spin.hpp"
#include "support/ref.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle {

struct Step;
class Steps;

/// What becomes of a thread that stands at a step and gets a value: read by a Load, Rmw or Lock, or the outcome of another action.
struct Edge {
    Value value;
    bool waits = false;       ///< a Load, Rmw or Lock cannot go on with it
    bool writes = false;      ///< an Rmw or Lock writes `written` back
    Value written{};          ///< see writes
    Value outcome{};          ///< what the thread is resumed with
    Ref<LoopRecord> futile{}; ///< the loop in which the thread would have failed once more
    Ref<Step> next{};         ///< null: nobody has gone there yet

    /// Does it go on?
    [[nodiscard]] bool satisfies() const { return !waits && !futile; }
};

/// A thread standing at an action. The action is a Loop only if the thread has gone round it too often to believe that it ends.
struct Step : RefCounted {
    Action action;
    ThreadState state;
    Ref<LoopRecord> loops;   ///< the loops it is in and has had no effect since the heads of
    bool may_wait = false;   ///< a Load, Rmw or Lock: some value might not let it go on
    std::uint8_t pieces = 0; ///< how many locations an access spans; 0: not known yet
    LocationId location{};   ///< the only or the first of them
    Ref<Step> spawned{};     ///< of Spawn: where the new thread begins
    std::vector<Edge> edges;

    static void destroy(Step* s);

  private:
    friend class Steps;
    explicit Step(Steps& owner) : steps(owner) {}
    ~Step() = default;
    Steps& steps;
    Step* older = nullptr; ///< all steps are in a list
    Step* newer = nullptr;
};

class Steps {
  public:
    /// `remembers`: false runs the machine every time (a test compares).
    Steps(Machine& machine, const Objects& objects, bool remembers)
        : machine_(machine), objects_(objects), remembers_(remembers) {}
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;
    ~Steps();

    /// Where a thread in this state comes to stand.
    Ref<Step> arrive(ThreadState state, Ref<LoopRecord> loops);
    /// What a Load, Rmw or Lock that reads `v` leads to. Valid until the next question about the step.
    Edge& reading(Step& s, const Value& v);
    /// What any other action with this outcome leads to.
    Edge& having(Step& s, const Value& outcome);
    /// The step at the end of the edge.
    Ref<Step> follow(Step& s, Edge& e);
    /// Where the thread that `s` spawns as `id` begins.
    Ref<Step> spawned(Step& s, ThreadId id);
    /// The search has performed this Alloc.
    void allocated(const Action& alloc);
    /// Cuts all edges once there are too many steps; those that the search stands on stay. No Edge is valid after it.
    void prune() {
        if (count_ >= enough_) {
            prune_now();
        }
    }

  private:
    friend struct Step;
    Edge* find(Step& s, const Value& v);
    void forget(Step& s);
    void prune_now();

    Machine& machine_;
    const Objects& objects_;
    bool remembers_;
    std::unordered_map<Address, std::uint64_t> extents_; ///< of every heap object so far
    Step* newest_ = nullptr;
    std::size_t count_ = 0;
    std::size_t enough_ = kEnough;
    std::vector<Step*> condemned_; ///< to be deleted by the outermost destroy, so that long chains need no deep recursion
    bool destroying_ = false;

    static constexpr std::size_t kEnough = 10'000; ///< steps before the tree is pruned: about as many kilobytes
};

} // namespace heddle

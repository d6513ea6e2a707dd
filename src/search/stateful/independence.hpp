// Independence: partial-order reduction. Can what a thread is about to do be done at once, before anything that others might do first?
//
// Every state that is kept is expanded fully, but a step does not end before it has to: actions that are *independent* of all that others may still do
// before them are done in the same step (Stepper::collapse), like those that nobody can notice. In the words of the literature, such an action alone is a persistent
// set (Godefroid) of the state it is done in: whatever sequence w of actions of others is possible there, the action is possible before it, w is possible after it and does
// the same, and (if it is possible after w at all) both orders lead to the same state. So for every execution from such a state there is one that begins with the action and in which all
// do the same in the same order, each for itself:
//
//   - where a thread gets is kept, so are traps, misused locks and joins, whatever is judged by where threads stand;
//   - states without steps are kept: deadlocks, and final states with their memory and their leaks. What is lost (renumber.hpp) is lost for good, so it does not matter
//     when it is noticed;
//   - use after free is an access and a Free of the same object; the two are never independent, unless a pending store is one of them, below;
//   - no action is put off for ever (the ignoring problem) because every state that is kept is expanded fully, and a step is finite: a bounded number of actions, and none of this
//     sort once a head of a loop was passed in it. (The second is not needed for being right: it makes steps end at the same places of a loop.) So every cycle
//     of states goes through states that are expanded fully, and Judge::stuck finds in a set of states that cannot be left what it found without reduction:
//     its threads go round, each on its own, and each takes steps from such a state.
//
// All this follows from the state alone, so counts of states do not depend on the order in which they are found. `--property termination` asks for cycles
// that are fair to each thread, step by step; it does without reduction.
//
// *What others may do before*: Futures, for each of the other threads, with these exceptions:
//
//   - a thread that waits for the thread at hand to end, at a Join, cannot do anything before; nor one that waits for such a thread. Joins that follow on each other with
//     nothing in between count too: main, which waits for its threads one after the other, waits for all of them;
//   - while the thread holds a lock, the others can do only what they can do without taking it: Futures with the lock barred. That the lock stays held follows
//     from the same question: none of the others may write to it.
//
// *Store buffers* (with delayed flushing). A store that enters the buffer of its thread is noticed by nobody; that it reaches memory is, and that is no action of the thread. In
// the machine with buffers, putting a store into the buffer earlier than some actions of others is always possible, and prevents none of them; PendingStores
// represents all the executions of that machine. So any store that is not followed by a fence is independent of everything, if buffers are not
// bounded. (An object that may be freed meanwhile: the store is then reported as late, instead of as an access to what was freed. Both are use after free.)
// A load is independent if no store of another thread to its word is pending and none may come. It leaves everything as it is then, and reads its own store or
// what memory has; whether its own store has reached memory in between makes no difference. An update or a store with a fence is, if besides the thread's buffer is drained
// (others cannot fill it), no store to the word is pending and nobody may access it: it works on memory alone.
//
// *Races* (`--races`) are kept too. Which accesses race follows from each thread's own order, from where each read reads, and from who started and joined whom
// (happens-before of C11); and the execution that begins with the action has all that in common with the one that does not: the thread's own order is the same, two accesses of
// the same bytes of which one writes, the two of a race among them, are dependent and stay in their order, so each read reads the same write. A race is noticed when the later of the two is done,
// whichever that is. For stores into buffers: the two may be *issued* in another order, but which reads from where is not decided by that. The same holds for actions that
// nobody can notice (Stepper::is_local): an access to an object that only one thread can reach, now, may race with what another did to it before it lost it,
// and does so at whatever time it is done.
#pragma once

#include "search/prologue/prologue.hpp"
#include "search/stateful/future.hpp"
#include "search/stateful/shared_memory.hpp"
#include "search/stateful/threads.hpp"

#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace heddle::stateful {

/// Does the action access memory?
inline bool is_access(const Action& a) {
    return a.kind == ActionKind::Load || a.kind == ActionKind::Store || a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock ||
           a.kind == ActionKind::Unlock;
}

/// Of one worker.
class Independence {
  public:
    Independence(Threads& threads, SharedMemory& memory, const Program& program, const Prologue& prologue);

    /// Pre: the thread runs, it stands there, at an access, and nobody is in an atomic section.
    bool holds(const World& world, std::uint32_t thread, const Standing& standing);
    /// May the thread, or one that it starts, still do something that would race with the access if it did not know of it?
    bool may_race(const World& world, std::uint32_t thread, const RaceRecord& access);
    /// May the thread, or one that it starts, still access these bytes?
    bool may_access(const World& world, std::uint32_t thread, Address address, std::uint64_t size);
    /// Of two threads with the same number, at accesses to the same bytes that do the same, all that is asked here is the same, but for what memory holds.
    std::uint32_t number(const World& world, std::uint32_t thread, const Standing& standing);
    /// Did an answer depend on what memory holds, since this was asked last?
    [[nodiscard]] bool looked_at_memory() { return std::exchange(looked_at_memory_, false); }
    /// Numbers of threads become invalid.
    void forget_images() { of_image_.clear(); }

  private:
    /// What is asked about a thread again and again: the same for many images, which differ in what they compute with.
    struct Known {
        bool running = false;
        const Future* future = nullptr;
        std::vector<std::uint32_t> joins{};                      ///< it can do nothing before all of these have ended
        bool accesses = false;                                   ///< it stands at an access, or did when it was looked at
        NumberSet cells{};                                       ///< of that access
        std::vector<std::pair<Address, const Future*>> barred{}; ///< its future with a lock barred, where somebody asked
        std::uint32_t number = 0;                                ///< its position in known_
        std::vector<std::uint8_t> conflicting{}; ///< [2 * other's number + does its access write]: 1 yes, 0 no; kNotAsked
    };
    Known& known(const World& world, std::uint32_t thread) {
        const PartId image = world.threads[thread];
        return image < of_image_.size() && of_image_[image] != 0 ? *known_[of_image_[image] - 1] : look_at(world, thread);
    }
    Known& look_at(const World& world, std::uint32_t thread);
    static constexpr std::uint8_t kNotAsked = 2;
    /// Does the access of `me` conflict with what the future has?
    [[nodiscard]] bool conflicts(const Known& me, bool writes, const Future& future) const {
        return future.writes.intersects(me.cells) || (writes && future.reads.intersects(me.cells)) ||
               (asks_sizes_ && future.writes.contains(Cells::kMade));
    }
    [[nodiscard]] bool conflicts(Known& me, bool writes, const Known& other) const {
        const std::size_t at = 2 * std::size_t{other.number} + (writes ? 1 : 0);
        if (at >= me.conflicting.size()) {
            me.conflicting.resize(2 * known_.size(), kNotAsked);
        }
        std::uint8_t& answer = me.conflicting[at];
        if (answer == kNotAsked) {
            answer = conflicts(me, writes, *other.future) ? 1 : 0;
        }
        return answer != 0;
    }
    [[nodiscard]] std::vector<std::uint32_t> joins_of(const World& world, std::uint32_t thread);
    const Future& barred(const World& world, std::uint32_t thread, Address lock);
    [[nodiscard]] bool waits_for(const World& world, std::uint32_t waiter, std::uint32_t thread, unsigned depth);
    [[nodiscard]] bool is_possible(const World& world, std::uint32_t thread, const Action& action);
    /// Do all whose future conflicts wait for the thread, or for a lock that it holds?
    [[nodiscard]] bool comes_first(const World& world, std::uint32_t thread, Known& me, bool writes);
    /// Does the thread hold this lock until it lets go of it itself?
    [[nodiscard]] bool keeps(const World& world, std::uint32_t thread, Address lock);

    Threads& threads_;
    SharedMemory& memory_;
    Futures futures_;
    bool asks_sizes_ =
        false; ///< the program asks for sizes of objects, which is no action although it matters whether they have ended
    bool looked_at_memory_ = false;
    std::vector<std::uint32_t> of_image_; ///< by thread image: 1 + its position in known_. 0: not looked at yet
    std::vector<std::unique_ptr<Known>> known_;
    using Alike = std::tuple<bool, const Future*, std::vector<std::uint32_t>, bool, NumberSet>;
    std::map<Alike, std::uint32_t> alike_; ///< positions in known_
};

} // namespace heddle::stateful

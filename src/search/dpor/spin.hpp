// Spin loops: an iteration that had no effect and left its thread as it was waits for something to change.
//
// Nothing is recognised by shape. A thread keeps its state at the head of each loop it is in; any effect that others could see (a write that
// changes something, an allocation, output, ...) forgets them. A value read is *futile* when with it the thread would come back to a head
// with nothing changed, doing nothing on the way but fences and pauses. Reading it would only lead to reading again, so a read in such a loop
// waits for a value that is not futile: the wait of pthread_mutex_lock and that of a hand-written spinlock are the same thing to the
// search. A compare-exchange that fails, an exchange that puts back what it found, several reads in one condition, loops in loops need no rules of
// their own.
//
// Sound: every execution explored is one of the program's, in which the reads simply came later. Complete: an execution with failed
// iterations, with these left out, is consistent too (nobody depends on them) and gives every thread the same values where they matter.
#pragma once

#include "machine/iteration.hpp"
#include "machine/machine.hpp"
#include "support/ref.hpp"

#include <optional>

namespace heddle {

/// A list, innermost loop first. Shared and never changed.
struct LoopRecord : RefCounted {
    LoopHead head;
    ThreadState state; ///< standing at the head
    Ref<LoopRecord> outer;

    static void destroy(LoopRecord* r) { delete r; }
};

/// The list after the thread has arrived at the head of a loop for its `count`-th iteration.
Ref<LoopRecord> arrived(const Ref<LoopRecord>& loops, const ThreadState& at, std::uint64_t count);

/// A thread that has been run to its next action.
struct Ahead {
    ThreadState state;
    Action action;
};

/// The loop that a thread at `at`, resumed with `outcome`, would find unchanged; null: it would do something else first. If that is the very next
/// that it does, `ahead` becomes where it then stands, so that it need not be run again.
const LoopRecord* futile(Machine& machine, const Objects& objects, const Ref<LoopRecord>& loops, const ThreadState& at,
                         const Value& outcome, std::optional<Ahead>& ahead);

} // namespace heddle

// Iterations of loops that changed nothing: what a search needs to see that a thread spins.
#pragma once

#include "machine/thread_state.hpp"

#include <cstddef>
#include <optional>

namespace heddle {

/// The loop at whose head a thread stands. Equal heads are the same loop of the same activation as long as the thread has not left that
/// activation in between; after a return and a new call they look the same, but the loop's iterations are counted from 1 again
/// (Action::count).
struct LoopHead {
    const Function* function = nullptr;
    std::uint32_t loop = 0; ///< into Function::loops
    std::size_t depth = 0;  ///< how many frames the thread has, this one included
    friend bool operator==(const LoopHead&, const LoopHead&) = default;
};

/// Nothing when the thread stands elsewhere.
std::optional<LoopHead> loop_head(const ThreadState& thread);

/// How many frames the thread has; 0: it has ended.
std::size_t depth(const ThreadState& thread);

/// Has the thread, between two arrivals at the head of one loop, changed nothing of itself that it can still notice? If so, and if it is given
/// the same values for the same reads, it does again what it did between them, for ever. That an iteration also changed nothing for others (it
/// wrote nothing) is for the caller to see.
///
/// Compared: the registers and locals that are live at the head, all of the callers' frames, thread-local variables and other private memory, the
/// stack objects, the numbers of the next objects and threads. Undefined bits count. Not compared: the counters of this frame's
/// loops, the number of actions, dependencies, and the registers and locals that the code beyond the head does not read.
///
/// Pre: both are states of the same thread. False when they do not stand at the same head.
bool same_iteration(const ThreadState& before, const ThreadState& now);

} // namespace heddle

// The DPOR search: every consistent execution of a program exactly once, remembering nothing of what it has visited.
//
// The algorithm is that of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022). An execution grows by the next event of the first
// thread that can go on. A read branches over the writes present; a write over its places in coherence. A write that comes too late for a
// read already there *revisits* it: what was added after the read, and is not needed by the write, is taken away again, and the read now
// reads from the write. To come to each execution one way only, a revisit is made only when everything it takes away, and the read
// itself, had been added *canonically* (the latest choice in coherence, read by nobody who stays): any other way to have added them is another
// branch's business. An atomic update is two events, a read and a write, so that the write has revisits of its own.
//
// A read that waits for a value (a lock, a semaphore, a flag) may read one that does not let its thread go on; the thread then stands still until a
// later write revisits the read, instead of the exploration being thrown away.
//
// This first form is plain: it copies the execution at each step and asks the axioms from scratch.
#pragma once

#include "model/axioms.hpp"
#include "search/session.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle {

struct DporResult {
    std::vector<std::string> complete; ///< the canonical form of each execution in which every thread ended, in the order found
    std::vector<std::string> blocked;  ///< of each in which threads wait for good
    std::set<std::string> traps;       ///< "kind at file:line"
    std::uint64_t dead_ends =
        0; ///< explorations that ended without an execution: an update whose write finds no place, a wait that went stale
    std::optional<std::string> unsupported; ///< what stopped the search: its result says nothing then
};

DporResult dpor_search(Session& session, const Axioms& axioms);

} // namespace heddle

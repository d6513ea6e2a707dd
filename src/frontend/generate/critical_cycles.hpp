// Every critical cycle that can be made of a list of relations.
//
// Shasha and Snir showed that sequential consistency is violated only where there is a *critical* cycle; Alglave, Maranget and others use that to know
// which litmus tests are worth having. Here a cycle is critical when
//   - a thread changes the location at most once, so it has accesses to at most two locations. Besides there may be accesses to the same location
//     (Pos, Rfi, Fri, Coi, fences and dependencies with s), if the list has such relations;
//   - no two relations in a row are the same as one: communications rf;fr, fr;co and co;co (external or not), and plain po;po. The
//     communications that may follow one another are fr;rf and co;rf, so a location is visited by at most three threads.
// Cycles with one location have just one relation that is no communication (cycle.hpp): the tests of coherence.
//
// Each cycle is found once, whatever the rotation: a cycle is taken only in the rotation in which the numbers of its threads' stretches are
// least. Two spellings can still mean one test: Rfe and RfePA beside PodRRAP, where marks are left open; PosWW and Coi, and PosRW and Fri behind a
// reads-from, which are the same instructions with the same question. The first of them is taken (communications come before Pos).
#pragma once

#include "frontend/generate/cycle.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace heddle::generate {

struct CriticalCycles {
    std::vector<Relation> relations;
    unsigned min_threads = 2;
    unsigned max_threads = 2;
    unsigned max_length = 4; ///< relations of a cycle
};

/// Calls `visit` with every critical cycle, in an order that depends on nothing but `wanted` (and not on the order of its relations). `visit` says
/// whether to go on. Returns false when it was stopped.
bool for_each_critical_cycle(const Vocabulary& vocabulary, const CriticalCycles& wanted,
                             const std::function<bool(const Cycle&)>& visit);

} // namespace heddle::generate

// Cycle: a cycle of relations with its accesses placed into threads and given locations and values.
//
// Threads. A thread is a stretch of the cycle between two external communications; its accesses are in program order as they stand in the cycle. A
// cycle with a single external communication has one thread, and that communication goes against its program order (CoWW is PosWW Coe).
//
// Locations. A relation that changes the location leads to a new one, the last such relation back to the first. So each location is a connected
// stretch of the cycle, and one such relation alone is impossible. With none there is one location.
//
// Values. The writes of a location write 1, 2, 3, ... in the order in which the cycle passes them, which is meant to be their coherence
// order; a read reads the last write passed, or the initial 0. This obeys every communication: reads-from goes from a write to the next
// access, from-reads and coherence go to a later write. The stretch of a location starts behind the relation that leads to it. If there is only one
// location, the cycle contradicts coherence somewhere, and it must be at the one relation that is no communication: values start behind it.
// (With more than one such relation no single order is meant, so that is refused; without any, the cycle contradicts the meaning of its
// communications.)
//
// The state that a test asks for is then: what is read by each read that a reads-from leads to or a from-reads leaves, and the final value of each
// location with several writes. That singles out the cycle, in a model with coherence, if the order of all writes follows. The last one is the final
// value. The order of two others, k and k+1, follows if some thread has an access with value k before one with value k+1. Where it does not, an
// observer thread is added that reads k and then k+1, as diy does.
#pragma once

#include "frontend/generate/relation.hpp"
#include "support/diagnostic.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace heddle::generate {

struct Access {
    Direction direction = Direction::Read;
    Mark mark = kUnmarked;
    std::uint32_t thread = 0;
    std::uint32_t location = 0;
    std::uint32_t value = 0; ///< that is written, or that is read when the cycle exists
    bool fixed = true;       ///< whether the cycle fixes the value: not of a read that program order alone leads to and from
};

/// A thread of its own that reads `location` and finds `first`, `first` + 1, ..., `last`.
struct Observer {
    std::uint32_t location = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

struct Cycle {
    std::vector<Relation> relations;   ///< the k-th leads from access k to the next, the last to access 0; all marks are said
    std::vector<Access> accesses;      ///< by thread; within a thread in program order
    std::uint32_t threads = 0;         ///< without observers
    std::vector<std::uint32_t> writes; ///< for each location, how many; the last one's value
    std::vector<Observer> observers;
    std::string
        name; ///< of the test: MP+lwsync+addr. Different cycles of an architecture have different names, rotations of a cycle the same
};

/// The cycle made of `relations`, in any rotation; the result starts with the thread that the name starts with. An ill-formed cycle is
/// refused with the reason.
std::expected<Cycle, Diagnostic> make_cycle(const Vocabulary& vocabulary, std::vector<Relation> relations);

/// "LwSyncdWW Rfe DpAddrdR Fre". Marks are written only where there are any.
std::string to_string(const Vocabulary& vocabulary, const Cycle& cycle);

} // namespace heddle::generate

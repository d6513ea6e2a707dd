// CheckResult: what a search found out about a program. The only thing that reports and the command line see of a search.
#pragma once

#include "graph/execution.hpp"
#include "machine/action.hpp"
#include "machine/value.hpp"
#include "program/program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class Verdict : std::uint8_t { Safe, Violation, SafeWithinBound, OutOfBudget, Unsupported };

/// An event of a witness, in source terms.
struct WitnessEvent {
    Event
        event{}; ///< kind, order, thread, location, source and so on; `source` and `update_read` are positions in Witness::events
    PlaceId place{};       ///< the user's line
    Value value{};         ///< read or written; the number chosen (Choose)
    std::uint8_t size = 0; ///< bytes of the access
    std::string
        name{}; ///< of Init, Read, Write, Alloc, Free: the variable, "q.head", "a[3]", "heap object (p.c:7)+8"; never empty for them
    std::string
        pointee{}; ///< of a value that is the address of something that has a name: "&q.head", "heap object (prog.c:8)"; else empty
    PartOwner owner = PartOwner::User; ///< of the bytes of an access
    bool lock = false;                 ///< a step of taking or giving back a lock, whose word is `name`
};

/// One execution, whole or partial, that shows a violation. `events` stand in an order that extends program order and, unless the
/// two have a cycle (load buffering), reads-from: so that they can be told as a story. Init events come first.
struct Witness {
    std::vector<WitnessEvent> events;
    std::vector<std::vector<std::size_t>> coherence; ///< per location with more than one write, positions in `events`, Init first
    /// A moment of a run of a machine with store buffers: an event happens (a write: into the buffer, and to memory if nothing later says so), or a
    /// buffered write reaches memory.
    struct Moment {
        std::size_t event;
        bool lands = false;
    };
    std::vector<Moment> run{}; ///< the execution as such a run, if the search found it as one; all events but the Inits
};

/// Something wrong in some execution.
struct Violation {
    Trap trap;         ///< kind, message, stack (innermost first, never empty), object
    ThreadId thread{}; ///< whose it is
    struct Other {
        Trap trap;
        ThreadId thread;
    };
    std::vector<Other> also{}; ///< of a deadlock: where each other thread waits; of a leak: the other leaks
    std::vector<std::size_t>
        about{}; ///< positions in witness.events of the accesses that it is about (both accesses of a race, later one first)
    Witness witness{};
};

struct CheckResult {
    Verdict verdict = Verdict::Safe;
    std::vector<Violation> violations; ///< distinct ones, in the order found
    std::vector<Assumption>
        assumptions;             ///< that the verdict rests on (program/program.hpp): loop bounds, inputs fixed, calls replaced
    std::uint64_t complete = 0;  ///< executions in which every thread ended
    std::uint64_t blocked = 0;   ///< in which some thread never goes on
    std::uint64_t redundant = 0; ///< found equivalent to an earlier one; an optimal search has none
    std::uint64_t dead_ends = 0; ///< explorations thrown away without an execution; an optimal search has none
    std::uint64_t events = 0;    ///< added in all, by all explorations
    // Of a search over states, for which `complete` and `blocked` count final states:
    std::uint64_t states = 0;      ///< different ones
    std::uint64_t steps = 0;       ///< between them, those to known ones too
    std::uint64_t state_bytes = 0; ///< of memory that keeps the states
    std::string reason;            ///< of OutOfBudget: which budget; of Unsupported: what is missing, with its place
    PlaceId place{};               ///< of `reason`, if it has one
};

/// What a search reports while it runs; the callee may ask it to stop.
struct Progress {
    std::uint64_t complete = 0;
    std::uint64_t blocked = 0;
    std::uint64_t violations = 0;
    std::uint64_t longest = 0; ///< events of the longest execution so far
    // Of a search over states:
    std::uint64_t states = 0;   ///< found so far; 0: not such a search
    std::uint64_t frontier = 0; ///< of them not looked at yet
    std::uint64_t memory = 0;   ///< bytes that keep them
};

/// "Safe", "Violation", ... as in docs/cli.md.
std::string_view word_of(Verdict verdict);

} // namespace heddle

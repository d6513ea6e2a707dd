// Paths: everything that each thread of a small program may do, whatever the others do.
//
// What a thread does is decided by the values it reads. Which values those may be is a fixpoint: each location has a pool that starts with its
// initial value; a thread is run along every way that values of the pools lead it; what it writes on the way joins the pools; and again,
// until nothing new is written. An execution takes one path for each thread (enumerate.hpp).
//
// Values can grow for ever (y = x + 1 || x = y + 1), executions cannot: unless a value causes itself, it has come through each write of its
// execution at most once. A round of the fixpoint follows values through one more write, so as many rounds as there are writes
// in the longest paths of all threads find all that can be read.
#pragma once

#include "graph/execution.hpp"
#include "machine/machine.hpp"
#include "machine/thread_names.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// What a location may hold. Values are named by their position in `values`.
struct Pool {
    std::uint8_t size = 0;     ///< bytes of every access to it
    std::size_t visible = 1;   ///< so many of `values` are read in the present round
    std::vector<Value> values; ///< each once; [0] is the initial one
};

/// The part of a path that does not depend on the values read: the events, but for what they read and write.
struct Shape : DependencyLists {       ///< positions in `events`; addr_po only of programs that start at main
    std::vector<Event> events;         ///< `update_read` is a position in here; no sources
    std::vector<std::uint32_t> starts; ///< into ThreadPaths: the threads that it spawns
    std::vector<std::uint32_t> paths;  ///< into ThreadPaths::paths of its thread
};

struct Path {
    std::uint32_t shape = 0;                          ///< into ThreadPaths::shapes
    std::vector<std::uint32_t> values;                ///< of each event that is an access: which of its pool
    std::vector<std::pair<Address, Value>> registers; ///< what it leaves in final registers
    std::vector<std::pair<ThreadId, std::uint32_t>>
        joined;                          ///< threads joined, with the result that each had: which of their pool
    std::optional<std::uint32_t> result; ///< of a thread that has ended: which of the pool of its results
    std::shared_ptr<const Trap> trap;    ///< of a thread that did something wrong: its path ends there
};

/// A thread started in a particular way, and what it may do.
struct ThreadPaths {
    ThreadId id;
    std::vector<Shape> shapes;
    std::vector<Path> paths;
};

struct PathOptions {
    bool depends_on_updates = false;   ///< as Axioms::depends_on_updates
    std::vector<FunctionId> threads{}; ///< started side by side, as a litmus test has them; empty: the program starts at main
    std::optional<Address> first_register{}; ///< globals from here on are final registers: writing them is no event
    std::uint64_t unroll = 0;                ///< as Machine::Options::unroll
    std::size_t max_paths = 1'000'000;
    std::function<bool()> gives_up{}; ///< asked now and then
};

struct Paths {
    std::vector<ThreadPaths> threads;                    ///< those that are there from the start come first
    std::size_t first_threads = 0;                       ///< how many those are
    std::map<Address, Pool> locations;                   ///< every location that is accessed
    std::map<std::uint32_t, std::vector<Value>> results; ///< by the number of a thread's name: what joining it may give
    Memory initial;                                      ///< every object that any path makes, with what it starts with
    bool cut = false;                                    ///< some path was cut off: a loop's bound, a failed assumption
    std::optional<std::string> unsupported;              ///< what stopped the search; the rest then says nothing
};

/// What Paths::unsupported says when the caller gave up.
inline constexpr const char* kStopped = "stopped";

Paths find_paths(const Program& program, ThreadNames& names, const PathOptions& options);

} // namespace heddle

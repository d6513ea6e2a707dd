// Execution: events, program order, reads-from and coherence, as plain data. What the axioms of a memory model speak of.
#pragma once

#include "graph/relation.hpp"
#include "program/address.hpp"
#include "program/memory_order.hpp"
#include "support/ids.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

enum class EventKind : std::uint8_t {
    Init, ///< the value a location starts with; before everything, in no thread
    Read,
    Write,
    Fence,
    Begin,  ///< of a thread
    End,    ///< of a thread
    Spawn,  ///< before the Begin of thread `other`
    Join,   ///< after the End of thread `other`
    Alloc,  ///< `location` is the first byte of a new object
    Free,   ///< the object at `location` ends
    Choose, ///< a number chosen
    Wait,   ///< a mark of the search: here a thread could not go on. In no execution
};

struct Event {
    EventKind kind = EventKind::Init;
    Order order = Order::NonAtomic;
    FenceKind fence = FenceKind::C11;
    bool update = false; ///< the read or the write of an atomic update (also of a compare-exchange that fails)
    bool exclusive =
        false; ///< a load that reserves, a conditional store, both of a lock, an unlock; not of single-instruction updates
    bool no_return = false;              ///< of the Read of an update: nobody gets the value read
    ThreadId thread{};                   ///< meaningless for Init
    std::uint32_t index = 0;             ///< in its thread
    Address location = 0;                ///< of Init, Read, Write
    ThreadId other{};                    ///< of Spawn and Join
    std::uint64_t chosen = 0;            ///< of Choose
    std::optional<std::size_t> source{}; ///< of Read: the Init or Write it reads from
    /// Of the Write of an update, or of a conditional store: its Read.
    std::optional<std::size_t> update_read{};

    [[nodiscard]] bool is_read() const { return kind == EventKind::Read; }
    [[nodiscard]] bool is_write() const { return kind == EventKind::Write || kind == EventKind::Init; }
    [[nodiscard]] bool is_access() const { return is_read() || is_write(); }
};

/// From a read to what depends on it, as positions in a list of events; only where dependencies are tracked.
struct DependencyLists {
    using List = std::vector<std::pair<std::size_t, std::size_t>>;

    List addr{};
    List data{};
    List ctrl{}; ///< from the read to every later event of its thread, fences too
    /// From a read to every event after an access whose address depends on it: "addr ; po", and the same for accesses to memory that no other
    /// thread reaches, which are not events.
    List addr_po{};
};

/// On POWER a C program's atomic update is compiled to a loop that is left when its conditional store has succeeded. What depends on what the
/// update read, or comes after it because the read is an acquire, therefore depends, by ctrl, on its write as well: that is added here. (Not in litmus
/// tests, whose loops are written out. ARMv8 counts no such dependency.)
void depend_on_updates(const std::vector<Event>& events, DependencyLists& on);

/// Events are named by their position in `events`. Invariant: events of one thread stand in program order (not necessarily side by side).
struct Execution : DependencyLists {
    std::vector<Event> events{};
    std::map<Address, std::vector<std::size_t>> coherence{}; ///< per location, all its writes, Init first
};

/// The execution as text: equal for two executions of one program exactly when they agree on each thread's accesses and choices, on
/// reads-from and, `with_coherence`, on coherence, whatever the order of `events`. Values do not show: executions of one program that agree on
/// reads-from and choices agree on values.
std::string canonical(const Execution& x, bool with_coherence = true);

/// The basic relations of MODELS.md, computed plainly.
struct Relations {
    explicit Relations(const Execution& x);

    Relation po;      ///< program order, transitive; an Init is not in it
    Relation po_loc;  ///< between accesses of one location
    Relation threads; ///< Spawn to Begin, End to Join, and Init to everything else
    Relation rf;
    Relation co;
    Relation fr;
    Relation rmw;      ///< the read to the write of an update
    Relation external; ///< pairs of different threads; an Init is external to everybody
};

} // namespace heddle

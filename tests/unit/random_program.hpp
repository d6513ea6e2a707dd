// Small random concurrent programs as data: made from a seed, printed, shrunk, and assembled into Programs.
#pragma once

#include "program/memory_order.hpp"
#include "program/program.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::testing_support {

/// `last` is what the thread read, chose or got last; 0 at first. In programs with a heap, a thread also has two pointers, p0 and p1, null at first;
/// pointers are never in `last` nor in the locations, so no arithmetic is done with them. They are passed on in shelves, locations of their own, and in
/// objects: an object has a word of data and a link to another. (An access beyond the end of an object that has ended is wrong twice, and which of the two is
/// told depends on the search; so there are none.)
struct Operation {
    enum class Kind : std::uint8_t {
        Load,
        Store,
        Rmw,
        CompareExchange,
        Fence,
        If,       ///< last == value: `body`
        Section,  ///< `body` as an atomic section: only for the search over states
        Lock,     ///< there is one lock, and nothing else is done to it
        TryLock,  ///< last = 1: taken, 0: not
        Unlock,   ///< also of a lock that nobody or somebody else holds: just a write
        WaitLoad, ///< until what it reads satisfies `wait` with `operand`
        WaitRmw,
        Spin, ///< the same as WaitLoad, but as a loop in the code
        Retry, ///< a loop in the code: loads the location, does `body` (loads and fences), and tries again unless `again` is content
        Choose, ///< last = any number below `value`
        Check,  ///< last == value fails: divides by it, or goes where no code is
        Alloc,  ///< the pointer = a new object
        Local,  ///< the pointer = a new object that ends with the thread, or before
        Leave,  ///< all that Local made in the thread ends
        Free,   ///< what the pointer points to
        Put,    ///< the pointer into a shelf, or into the link of an object
        Take,   ///< the pointer = what is there
        Swap,   ///< both at once
        Offer,  ///< the pointer into there if the other pointer is there; last = was it
        Forget, ///< the pointer = null
        Same,   ///< last = does the pointer equal the other one, or with `stores_last`: is it less
    };
    /// Of a Retry: when it is content with an iteration.
    enum class Again : std::uint8_t {
        Exchange,     ///< a compare-exchange of what was loaded first succeeds
        Same,         ///< the location has what was loaded first
        Until,        ///< what was loaded first satisfies `wait` (then at once), or what was loaded last
        Pair,         ///< what was loaded first and last is in `pairs`; if nothing with the first is, it tries again at once
        PairExchange, ///< and then a compare-exchange of what was loaded last succeeds
    };
    /// Of a plain Load or Store: which part of the location, in programs that access it in pieces.
    enum class Part : std::uint8_t { All, Whole, Low, High };
    Kind kind = Kind::Load;
    Order order = Order::Relaxed;
    FenceKind fence = FenceKind::C11;
    RmwOp rmw = RmwOp::Xchg;
    Wait wait = Wait::None;
    Again again = Again::Exchange;
    std::uint8_t location = 0;
    Part part = Part::All;
    bool by_address = false;   ///< another location when `last` is not zero
    bool stores_last = false;  ///< `last` instead of `value`
    std::uint8_t value = 1;    ///< stored, added, compared, how many choices
    std::uint8_t expected = 0; ///< of CompareExchange
    bool expects_last = false; ///< `last` instead of `expected`
    std::uint8_t operand = 0;  ///< of `wait`
    std::uint16_t pairs = 0;   ///< of Pair: bit 3 * a + b, for the values a and b, of which those above 2 count as 2
    // In programs with a heap:
    std::uint8_t pointer = 0; ///< which of the thread's pointers it is about
    std::optional<std::uint8_t>
        through{};       ///< the object of this pointer is accessed: its data, by what else accesses locations, or its link
    bool guarded = true; ///< only if `through`, and of Free the pointer, is not null
    bool zeroed = true;  ///< of Alloc and Local; else the object is undefined at first
    std::vector<Operation> body{};

    friend bool operator==(const Operation&, const Operation&) = default;
};
using Operations = std::vector<Operation>;

struct RandomThread {
    Operations operations;
    std::optional<std::uint8_t>
        spawned_after{}; ///< so many operations of the thread before it, which spawns it; nothing: main does

    friend bool operator==(const RandomThread&, const RandomThread&) = default;
};

struct RandomProgram {
    std::uint8_t locations = 2;
    std::uint8_t shelves = 0; ///< in programs with a heap
    std::vector<RandomThread> threads;
    bool joins = false;      ///< main joins the threads it spawned, the first ones first,
    Operations after_join{}; ///< and then does this. Empty unless `joins`

    friend bool operator==(const RandomProgram&, const RandomProgram&) = default;
};

/// What random programs are made of.
struct Shape {
    std::uint8_t threads = 2;
    std::uint8_t operations = 3; ///< of each thread
    std::uint8_t locations = 2;
    bool waits = false;   ///< locks, and waiting for values
    bool control = false; ///< branches, choices, checks
    bool joins = false;   ///< main joins and goes on
    bool nests = false;   ///< threads spawn threads
    bool parts = false;   ///< only plain loads and stores, of whole locations and of their halves
    bool mild = false;    ///< only loads, stores and updates, none plain and none seq_cst
    bool mixed = false;   ///< accesses are relaxed or seq_cst, fences seq_cst
    bool heap = false;    ///< objects
    bool retries = false; ///< loops that try again
    bool few = false;     ///< relaxed accesses of 0 and 1, of a few kinds in each program; up to `operations` in a thread
    bool updates = false; ///< many updates, few fences
    bool chains =
        false; ///< threads read, access the first location some times, and write: what a processor forwards (at least 2 locations)
};

RandomProgram random_program(std::uint64_t seed, const Shape& shape);
std::string to_text(const RandomProgram& program);
/// `loops`: a Spin is a loop in the code; else it is what it means, a WaitLoad, as those need who cannot deal with loops. `halves`: an access to a
/// whole location that is also accessed in halves is two accesses, the low half first, as those need who know no pieces. Without loops, a Retry is one
/// iteration; if it fails, it stores to a location that nothing else uses, failed_retry() of as many events as it has had, and its thread blocks.
Program assemble(const RandomProgram& program, bool loops = true, bool halves = false);

constexpr std::size_t kLongestIteration = 6; ///< events
Address failed_retry(const RandomProgram& program, std::size_t length);

/// Does any operation satisfy it, those in bodies included?
bool any_operation(const RandomProgram& program, const std::function<bool(const Operation&)>& is);

/// The smallest program that can be reached from `program` by taking away and simplifying while `fails` stays true. Pre: fails(program).
RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails);

} // namespace heddle::testing_support

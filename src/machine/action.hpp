// Action: what a thread does that others can see. The whole conversation between the machine and whoever drives it.
//
// `Machine::run` returns one and leaves the thread standing at it; running the thread again gives the same action again. `Machine::resume`
// hands the thread the outcome (a value read, a thread id, ...) and moves it past. Addresses in an action are checked already: inside
// their object, which is alive as far as the machine's Objects know.
#pragma once

#include "machine/deps.hpp"
#include "machine/value.hpp"
#include "program/address.hpp"
#include "program/layout.hpp"
#include "program/memory_order.hpp"
#include "program/trap_kind.hpp"
#include "support/ids.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class ActionKind : std::uint8_t {
    Load, ///< resumed with the value read; with `wait` only once that value satisfies it
    Store,
    Rmw, ///< resumed with the old value; `updated` says what it writes, if anything; `wait` as in Load
    Fence,
    Spawn, ///< resumed with the new thread's id
    Join,  ///< resumed with the ended thread's result
    Detach,
    Lock,   ///< an update of the lock word at `address` from 0 to `value`, acquire; blocks unless `try_only`; resumed with 1 or 0
    Unlock, ///< a write of 0 to the lock word, release
    Alloc,  ///< a new object at `address` of `count` bytes
    Free,   ///< the object at `address` ends (heap, or a stack variable at its function's return)
    Choose, ///< resumed with any number below `count`
    Nondet, ///< an input of `count` bits: resumed with any value
    Block,  ///< the thread never goes on; `reason` says why
    Output, ///< `text` to file descriptor `count`
    Yield,
    Pause,       ///< nothing happened for long: a loop that others cannot see. Not resumed; running the thread again goes on
    Loop,        ///< iteration `count` (from 1) of a loop begins; resumed with nothing. Only with Machine::Options::loops
    AtomicBegin, ///< until the matching AtomicEnd no other thread acts
    AtomicEnd,
    Exit, ///< the program ends with status `count`; never resumed
    Done, ///< the thread ended with `value`; never resumed
    Trap, ///< see `trap`; never resumed, unless it is `in_passing`
};

enum class ObjectKind : std::uint8_t { Global, Heap, Stack, ThreadLocal };

/// Why a Block never goes on.
enum class BlockReason : std::uint8_t {
    Assumption, ///< it failed
    Lock,       ///< a lock or a value at `address`, which only this thread can reach
    LoopBound,  ///< a loop has done as many iterations as Machine::Options::unroll allows: the execution is cut short, not stuck
};

/// What is known of an object that a trap is about.
struct ObjectNote {
    std::string name; ///< the variable, if it has one
    ObjectKind kind = ObjectKind::Heap;
    std::uint64_t size = 0;
    std::int64_t offset = 0; ///< of the access, from the object's start
    PlaceId allocated;       ///< PlaceId{0}: unknown (globals: their declaration)
    PlaceId freed;           ///< PlaceId{0}: it is alive
};

/// Something went wrong, and where. Places of runtime functions are skipped: `stack` starts at the user's line.
struct Trap {
    TrapKind kind = TrapKind::Assertion;
    std::string message;
    std::vector<PlaceId> stack; ///< innermost call first; never empty
    std::optional<ObjectNote> object;
};

/// The reads that an action depends on, in its own thread. Empty unless Machine::Options::dependencies.
struct Dependencies {
    DepSet address = 0;
    DepSet data = 0;
    DepSet control = 0;
    DepSet earlier_addresses =
        0; ///< of all accesses before this one: "addr ; po", with those to private memory, which are no actions
};

class Objects;

struct Action {
    ActionKind kind = ActionKind::Done;
    Order order = Order::NonAtomic;
    Order failure_order = Order::NonAtomic; ///< of a compare-exchange that fails
    RmwOp rmw = RmwOp::Xchg;
    Wait wait = Wait::None;
    FenceKind fence = FenceKind::C11;
    BlockReason reason = BlockReason::Assumption; ///< of Block
    ObjectKind object = ObjectKind::Heap;         ///< of Alloc and Free
    std::uint8_t size = 0;                        ///< bytes of the access, 1 to 16
    bool is_volatile = false;
    bool exclusive = false; ///< of Load and Store: kExclusive (program/instr.hpp)
    bool no_return = false; ///< of Rmw: kNoReturn
    bool weak = false;      ///< a compare-exchange that may fail spuriously
    bool try_only = false;  ///< of Lock
    bool zeroed = false;    ///< of Alloc: the bytes start as zero, not undefined
    /// Of Trap, where dependencies are tracked: what the thread does next depends neither on what went wrong nor on its operands, so where it reads
    /// other values it may be seen before them. It can be resumed; what failed then has the result 0.
    bool in_passing = false;
    PlaceId place;       ///< the user's source line
    Address address = 0; ///< of the access, the lock word, the object, the spawned function
    Value value;         ///< stored; operand or desired value of an update; argument of Spawn; thread id of Join; result of Done
    Value expected;      ///< of a compare-exchange; of an AddUnless the value that stops it
    std::uint64_t wait_operand = 0;
    std::uint64_t count =
        0; ///< of Alloc the size; of Choose the number of choices; of Spawn which child of its parent; of Loop the iteration; ...
    std::uint32_t align = 1;                          ///< of Alloc
    LayoutId layout{};                                ///< of Alloc
    const std::string* name = nullptr;                ///< of Alloc: the variable, if it is one; the Program's
    const std::vector<std::uint8_t>* image = nullptr; ///< of Alloc: initial bytes, when not undefined or zero
    std::shared_ptr<const std::string> text;          ///< of Output
    Dependencies deps;
    std::shared_ptr<const Trap> trap;
};

/// What an Rmw that reads `old` writes; nothing when a compare-exchange fails. Bits of the result may be undefined.
std::optional<Value> updated(const Action& rmw, const Value& old);

/// Does a Load or Rmw that reads `read` go on, or keep waiting? With undefined bits it goes on: whoever waits must be seen to read them, which is wrong
/// (kUninitializedLock), and would not if it were taken for waiting.
bool satisfied(const Action& action, const Value& read);

/// The message of a Lock, or an access with `wait`, that finds undefined bits.
inline constexpr const char* kUninitializedLock = "an uninitialised value decides whether a thread waits";

/// What a Load, Rmw or Lock does on reading `read`; with undefined bits no Lock waits either.
struct ReadEffect {
    bool waits = false;           ///< it cannot go on with this value
    std::optional<Value> written; ///< what it writes back, if anything
    Value outcome;                ///< what the thread is resumed with
};
ReadEffect effect_of_read(const Action& action, const Value& read);

/// Is the access atomic? (Of a Load, Store, Rmw, Lock, Unlock.)
inline bool is_atomic(const Action& a) {
    return a.order != Order::NonAtomic || a.kind == ActionKind::Lock || a.kind == ActionKind::Unlock;
}
/// Does the value that the action reads decide whether its thread waits?
inline bool decides_by_value(const Action& a) {
    return a.kind == ActionKind::Lock || ((a.kind == ActionKind::Load || a.kind == ActionKind::Rmw) && a.wait != Wait::None);
}
/// What a thread that cannot go on waits for; `word` is what a Lock finds.
std::string what_it_waits_for(const Action& action, const Value& word, const Objects& objects);
/// How it ends when the library waits on a word of its own for somebody who wakes the thread.
inline constexpr std::string_view kNobodyWakes = "waits to be woken up, and nobody does it";

// An update is two events. Its order is shared out: acquire to the read, release to the write, seq_cst to both. One that fails has only its
// read, of the failure order.
Order order_of_read(const Action& action, bool succeeds);
Order order_of_write(const Action& action);

/// Is `old` the value that the update compares with? A compare-exchange is then successful; an AddUnless is not.
inline bool matches(const Action& rmw, const Value& old) { return old.lo == rmw.expected.lo && old.hi == rmw.expected.hi; }

} // namespace heddle

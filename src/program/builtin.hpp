// The functions through which the runtime library (runtime/*.c) asks the machine for what C cannot say. runtime/builtins.h declares
// them for C; a call of one becomes Op::Builtin. Arguments and result are one slot each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

// X(enumerator, C name, number of arguments)
#define HEDDLE_BUILTINS(X)                                                                                                       \
    X(Spawn, "__heddle_spawn", 2)              /* (start function, argument) -> thread id */                                     \
    X(Join, "__heddle_join", 1)                /* (thread id) -> the thread's result */                                          \
    X(Detach, "__heddle_detach", 1)            /* (thread id) */                                                                 \
    X(Self, "__heddle_self", 0)                /* -> thread id */                                                                \
    X(ThreadExit, "__heddle_thread_exit", 1)   /* (result): ends this thread; does not return */                                 \
    X(Exit, "__heddle_exit", 1)                /* (status): ends the program; does not return */                                 \
    X(Alloc, "__heddle_alloc", 3)              /* (size, align, zeroed) -> address */                                            \
    X(Free, "__heddle_free", 1)                /* (address of a heap object, or null) */                                         \
    X(ObjectSize, "__heddle_object_size", 1)   /* (address of a live heap object) -> size */                                     \
    X(Lock, "__heddle_lock", 1)                /* (int32* word): waits for 0, sets owner; acquire */                             \
    X(TryLock, "__heddle_trylock", 1)          /* (int32* word) -> 1 taken, 0 busy */                                            \
    X(Unlock, "__heddle_unlock", 1)            /* (int32* word): sets 0; release */                                              \
    X(WaitLoad, "__heddle_wait_load", 5)       /* (p, size, order, wait, operand) -> value */                                    \
    X(WaitRmw, "__heddle_wait_rmw", 7)         /* (p, size, order, rmw op, rmw operand, wait, operand) -> old */                 \
    X(Choose, "__heddle_choose", 1)            /* (n) -> any of 0..n-1 */                                                        \
    X(Nondet, "__heddle_nondet", 1)            /* (bits) -> any value: an input, fixed by the assumptions */                     \
    X(Assume, "__heddle_assume", 1)            /* (condition): zero blocks the thread for good */                                \
    X(Fail, "__heddle_fail", 2)                /* (TrapKind, message): a violation; does not return */                           \
    X(Output, "__heddle_output", 3)            /* (fd, p, n): n bytes of private memory to fd 1 or 2 */                          \
    X(Yield, "__heddle_yield", 0)              /* lets others run */                                                             \
    X(AtomicBegin, "__heddle_atomic_begin", 0) /* until the matching end no other thread acts */                                 \
    X(AtomicEnd, "__heddle_atomic_end", 0)                                                                                       \
    X(SpuriousWakeups, "__heddle_spurious_wakeups", 0) /* -> 1 when condition variables may wake by themselves */

enum class Builtin : std::uint8_t {
#define X(name, c_name, args) name,
    HEDDLE_BUILTINS(X)
#undef X
};

struct BuiltinSpec {
    Builtin id;
    std::string_view c_name;
    unsigned args;
};

std::optional<BuiltinSpec> find_builtin(std::string_view c_name);

} // namespace heddle

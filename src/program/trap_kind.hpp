// What can go wrong in a checked program, as the words of the --json report.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

// X(enumerator, word of the report). runtime/builtins.h repeats the numbers that the runtime uses; a test compares them.
#define HEDDLE_TRAP_KINDS(X)                                                                                                     \
    X(Assertion, "assertion")                                                                                                    \
    X(ReachError, "reach-error")                                                                                                 \
    X(Abort, "abort")                                                                                                            \
    X(LockMisuse, "lock-misuse")                                                                                                 \
    X(ThreadMisuse, "thread-misuse")                                                                                             \
    X(Unsupported, "unsupported")                                                                                                \
    X(OutOfBudget, "out-of-budget")                                                                                              \
    X(OutOfBounds, "out-of-bounds")                                                                                              \
    X(UseAfterFree, "use-after-free")                                                                                            \
    X(UseAfterReturn, "use-after-return")                                                                                        \
    X(DoubleFree, "double-free")                                                                                                 \
    X(InvalidFree, "invalid-free")                                                                                               \
    X(NullDereference, "null-dereference")                                                                                       \
    X(WildPointer, "wild-pointer")                                                                                               \
    X(WriteToConstant, "write-to-constant")                                                                                      \
    X(Misaligned, "misaligned-atomic")                                                                                           \
    X(UninitializedRead, "uninitialized-read")                                                                                   \
    X(DivisionByZero, "division-by-zero")                                                                                        \
    X(DivisionOverflow, "division-overflow")                                                                                     \
    X(StackOverflow, "stack-overflow")                                                                                           \
    X(BadCall, "bad-call")                                                                                                       \
    X(Unreachable, "unreachable-code")                                                                                           \
    X(Leak, "leak")                                                                                                              \
    X(Deadlock, "deadlock")                                                                                                      \
    X(Liveness, "liveness")                                                                                                      \
    X(NonTermination, "non-termination")                                                                                         \
    X(DataRace, "data-race")

enum class TrapKind : std::uint8_t {
#define X(name, word) name,
    HEDDLE_TRAP_KINDS(X)
#undef X
};

std::string_view word_of(TrapKind kind);

} // namespace heddle

// The builtins of the machine, for C. The list and the numbers repeat src/program/{builtin,trap_kind,memory_order}.hpp, which C
// cannot include; tests/unit/builtins_test.cpp compares the two.
#ifndef HEDDLE_RUNTIME_BUILTINS_H
#define HEDDLE_RUNTIME_BUILTINS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// TrapKind: those that the runtime itself reports.
enum heddle_trap {
    HEDDLE_TRAP_ASSERTION = 0,
    HEDDLE_TRAP_REACH_ERROR = 1,
    HEDDLE_TRAP_ABORT = 2,
    HEDDLE_TRAP_LOCK_MISUSE = 3,
    HEDDLE_TRAP_THREAD_MISUSE = 4,
    HEDDLE_TRAP_UNSUPPORTED = 5,
};

/// Order.
enum heddle_order {
    HEDDLE_NON_ATOMIC = 0,
    HEDDLE_RELAXED = 1,
    HEDDLE_ACQUIRE = 2,
    HEDDLE_RELEASE = 3,
    HEDDLE_ACQ_REL = 4,
    HEDDLE_SEQ_CST = 5,
};

/// RmwOp: those that the runtime uses.
enum heddle_rmw {
    HEDDLE_RMW_XCHG = 0,
    HEDDLE_RMW_ADD = 1,
    HEDDLE_RMW_SUB = 2,
    HEDDLE_RMW_AND = 3,
    HEDDLE_RMW_OR = 5,
};

/// Wait: the comparison (unsigned, of the access size) under which a waiting access goes on.
enum heddle_wait {
    HEDDLE_WAIT_NONE = 0,
    HEDDLE_WAIT_EQUAL = 1,
    HEDDLE_WAIT_NOT_EQUAL = 2,
    HEDDLE_WAIT_LESS = 3,
    HEDDLE_WAIT_LESS_EQUAL = 4,
    HEDDLE_WAIT_GREATER = 5,
    HEDDLE_WAIT_GREATER_EQUAL = 6,
};

/// The new thread runs __heddle_thread_main(start, argument).
uint64_t __heddle_spawn(void* (*start)(void*), void* argument);
void* __heddle_join(uint64_t thread);
void __heddle_detach(uint64_t thread);
uint64_t __heddle_self(void);
__attribute__((noreturn)) void __heddle_thread_exit(void* result);
__attribute__((noreturn)) void __heddle_exit(int status);

void* __heddle_alloc(size_t size, size_t align, int zeroed);
void __heddle_free(void* object);
size_t __heddle_object_size(const void* object);

void __heddle_lock(int32_t* word);
int __heddle_trylock(int32_t* word);
void __heddle_unlock(int32_t* word);
uint64_t __heddle_wait_load(const void* p, size_t size, enum heddle_order order, enum heddle_wait wait, uint64_t operand);
uint64_t __heddle_wait_rmw(void* p, size_t size, enum heddle_order order, enum heddle_rmw op, uint64_t op_operand,
                           enum heddle_wait wait, uint64_t wait_operand);

uint64_t __heddle_choose(uint64_t n);
uint64_t __heddle_nondet(unsigned bits);
void __heddle_assume(int condition);
/// The message is read from constant or private memory only.
__attribute__((noreturn, cold)) void __heddle_fail(enum heddle_trap kind, const char* message);
void __heddle_output(int fd, const void* p, size_t n);
void __heddle_yield(void);
void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
int __heddle_spurious_wakeups(void);

#ifdef __cplusplus
}
#endif

#endif

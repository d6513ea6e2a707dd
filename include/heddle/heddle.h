// What a checked program may ask of Heddle. The same file compiles without Heddle too (C99, C++11), so that a program can be both
// checked and run: then the definitions below stand in for the checker.
//
//   heddle_assume(condition)   Executions in which the condition is false are of no interest: they stop there and count as blocked.
//                              Without Heddle the program ends quietly, with status 0.
//   heddle_choose(n)           Any of 0 .. n-1: every one of them is tried. n must not be 0. Without Heddle: pseudo-random, the
//                              same sequence in every run of a thread.
//   heddle_await(condition)    Waits until the condition, an expression that is evaluated again and again, is true. What other threads
//                              change in the meantime must be atomic.
//   heddle_yield()             Lets other threads run. It orders nothing.
//   heddle_nondet_int() ...    An input: some value that the checker knows nothing about. Without Heddle: as heddle_choose.
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __HEDDLE__

void heddle_assume(int condition);
unsigned heddle_choose(unsigned n);
void heddle_yield(void);
int heddle_nondet_int(void);
unsigned heddle_nondet_uint(void);
long heddle_nondet_long(void);
unsigned long heddle_nondet_ulong(void);

#else

#include <sched.h>
#include <stdlib.h>

static inline void heddle_assume(int condition) {
    if (!condition) {
        _Exit(0);
    }
}

// xorshift64*: nothing of the program's own (rand, say) is disturbed.
static inline unsigned long heddle_nondet_ulong(void) {
    static __thread unsigned long long state = 0x9e3779b97f4a7c15ULL;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned long)(state * 0x2545f4914f6cdd1dULL);
}

static inline unsigned heddle_choose(unsigned n) {
    heddle_assume(n != 0);
    return (unsigned)((heddle_nondet_ulong() >> 16) % n);
}

static inline void heddle_yield(void) { sched_yield(); }
static inline int heddle_nondet_int(void) { return (int)(heddle_nondet_ulong() >> 32); }
static inline unsigned heddle_nondet_uint(void) { return (unsigned)(heddle_nondet_ulong() >> 32); }
static inline long heddle_nondet_long(void) { return (long)heddle_nondet_ulong(); }

#endif

#define heddle_await(condition)                                                                                                  \
    do {                                                                                                                         \
        while (!(condition)) {                                                                                                   \
            heddle_yield();                                                                                                      \
        }                                                                                                                        \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif

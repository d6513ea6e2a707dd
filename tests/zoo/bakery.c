// Lamport's bakery (1974): draw a number higher than everybody's, wait for all lower numbers.
//
// Needs the store of `choosing` and of the number to be seen before the loads that follow, thus seq_cst; BROKEN uses release and
// acquire, and both threads may find the other's number 0. BROKEN_CHOOSING forgets to wait while another is drawing: both draw 1,
// the second enters at once because the first has not put its number down yet, then the first enters because of its lower index.
// That needs no weak memory.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation assertion
// check: sc -DBROKEN => Safe
// check: tso,pso,ra -DBROKEN => Violation assertion
// check: rc11,power -DBROKEN => Violation assertion,data-race
// check: sc,tso,pso,ra -DBROKEN_CHOOSING => Violation assertion
// check: sc,tso,pso --equivalence value => Safe complete=7 blocked=0
// check: rc11,power,armv8 -DBROKEN_CHOOSING => Violation assertion,data-race
#include "threads.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef BROKEN
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

enum { THREADS = 2 };

static atomic_int choosing[THREADS];
static atomic_int number[THREADS];
static int counter;

static int load(atomic_int* from) { return atomic_load_explicit(from, LOAD); }
static void store(atomic_int* to, int value) { atomic_store_explicit(to, value, STORE); }

/// Must `me`, holding number `mine`, let thread j go first?
static int goes_first(int j, int me, int mine) {
    const int theirs = load(&number[j]);
    return theirs != 0 && (theirs < mine || (theirs == mine && j < me));
}

static void lock(int me) {
    store(&choosing[me], 1);
    int highest = 0;
    for (int j = 0; j < THREADS; ++j) {
        const int theirs = load(&number[j]);
        highest = theirs > highest ? theirs : highest;
    }
    const int mine = highest + 1;
    store(&number[me], mine);
    store(&choosing[me], 0);
    for (int j = 0; j < THREADS; ++j) {
        if (j == me) {
            continue;
        }
#ifndef BROKEN_CHOOSING
        while (load(&choosing[j])) {
            sched_yield();
        }
#endif
        while (goes_first(j, me, mine)) {
            sched_yield();
        }
    }
}

static void unlock(int me) { store(&number[me], 0); }

static void* work(void* argument) {
    const int me = index_of(argument);
    lock(me);
    ++counter;
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(THREADS, work);
    assert(counter == THREADS);
    return 0;
}

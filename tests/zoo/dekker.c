// Dekker's algorithm (1962), the first mutual exclusion from loads and stores alone.
//
// Each thread raises its flag, then looks at the other's. That only excludes when the store is seen before the load is done: with
// release and acquire alone (BROKEN) both loads may miss both stores ("store buffering"). tso and pso have it in their store
// buffers, rc11 without seq_cst too; ra has no order that spans two locations, so there even the right one is broken. Who raises its flag only
// after it has looked (BROKEN_LATE) excludes nobody anywhere.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation assertion
// check: sc -DBROKEN => Safe
// check: tso,pso,ra -DBROKEN => Violation assertion
// check: rc11,power -DBROKEN => Violation assertion,data-race
// check: sc,tso,pso,ra -DBROKEN_LATE => Violation assertion
// check: rc11 -DBROKEN_LATE => Violation assertion,data-race
// check: sc,tso,pso --equivalence value => Safe complete=3 blocked=0
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void lock(int me) {
    const int other = 1 - me;
#ifndef BROKEN_LATE
    atomic_store_explicit(&wants[me], 1, STORE);
#endif
    while (atomic_load_explicit(&wants[other], LOAD)) {
        if (atomic_load_explicit(&turn, LOAD) != me) {
            atomic_store_explicit(&wants[me], 0, STORE);
            while (atomic_load_explicit(&turn, LOAD) != me) {
            }
            atomic_store_explicit(&wants[me], 1, STORE);
        }
    }
#ifdef BROKEN_LATE
    atomic_store_explicit(&wants[me], 1, STORE);
#endif
}

static void unlock(int me) {
    atomic_store_explicit(&turn, 1 - me, STORE);
    atomic_store_explicit(&wants[me], 0, STORE);
}

static void* work(void* argument) {
    const int me = index_of(argument);
    lock(me);
    ++counter;
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    assert(counter == 2);
    return 0;
}

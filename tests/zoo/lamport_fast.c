// Lamport's fast mutual exclusion (1987): two stores and two loads when nobody else is there.
//
// "x = me; is y free? y = me; is x still me?" With release and acquire (BROKEN) the stores may reach the other thread after its
// loads: both find y free and x their own. A thread starts again only after the other has left, so the loop around it all is
// short.
//
// check: sc,tso,pso,rc11,power => Safe
// check: armv8 => Safe
// check: ra => Violation assertion
// check: sc -DBROKEN => Safe
// check: tso,pso,ra -DBROKEN => Violation assertion
// check: rc11,power -DBROKEN => Violation assertion,data-race
// check: sc,tso,pso,ra -DBROKEN_FAST => Violation assertion
// check: rc11 -DBROKEN_FAST => Violation assertion,data-race
// check: sc,tso,pso --equivalence value => Safe complete=10 blocked=0
// check: rc11 --equivalence value => Safe complete=10 blocked=0
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

#ifndef N
#define N 2
#endif

enum { THREADS = N, NOBODY = 0 };

static atomic_int busy[THREADS + 1]; // threads are 1 .. THREADS here: 0 is nobody
static atomic_int x, y;
static int counter;

static int load(atomic_int* from) { return atomic_load_explicit(from, LOAD); }
static void store(atomic_int* to, int value) { atomic_store_explicit(to, value, STORE); }

static void lock(int me) {
    for (;;) {
        store(&busy[me], 1);
        store(&x, me);
        if (load(&y) != NOBODY) {
            store(&busy[me], 0);
            while (load(&y) != NOBODY) {
            }
            continue;
        }
        store(&y, me);
#ifdef BROKEN_FAST
        return; // whoever else has got here meanwhile
#endif
        if (load(&x) == me) {
            return; // the fast way
        }
        store(&busy[me], 0);
        for (int j = 1; j <= THREADS; ++j) {
            while (load(&busy[j])) {
            }
        }
        if (load(&y) == me) {
            return;
        }
        while (load(&y) != NOBODY) {
        }
    }
}

static void unlock(int me) {
    store(&y, NOBODY);
    store(&busy[me], 0);
}

static void* work(void* argument) {
    const int me = index_of(argument) + 1;
    lock(me);
    ++counter;
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(THREADS, work);
#ifndef NO_JOIN
    assert(counter == THREADS);
#endif
    return 0;
}

// lamport(N): Lamport's fast mutual exclusion (1987) for N threads, seq_cst: two stores and two loads when nobody else is there.
// Wrong under ra, where seq_cst accesses are no stronger than release and acquire.
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

enum { NOBODY = 0 };

static atomic_int busy[N + 1]; // threads are 1 .. N here: 0 is nobody
static atomic_int x, y;
static int shared;

static void lock(int me) {
    for (;;) {
        atomic_store(&busy[me], 1);
        atomic_store(&x, me);
        if (atomic_load(&y) != NOBODY) {
            atomic_store(&busy[me], 0);
            while (atomic_load(&y) != NOBODY) {
            }
            continue;
        }
        atomic_store(&y, me);
        if (atomic_load(&x) == me) {
            return; // the fast way
        }
        atomic_store(&busy[me], 0);
        for (int j = 1; j <= N; ++j) {
            while (atomic_load(&busy[j])) {
            }
        }
        if (atomic_load(&y) == me) {
            return;
        }
        while (atomic_load(&y) != NOBODY) {
        }
    }
}

static void unlock(int me) {
    atomic_store(&y, NOBODY);
    atomic_store(&busy[me], 0);
}

static void* work(void* argument) {
    const int me = index_of(argument) + 1;
    lock(me);
    shared = me;
    assert(shared == me);
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

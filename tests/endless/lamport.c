// Lamport's fast mutual exclusion, taken for ever by two threads, or -DTHREADS=N.
// check: sc,tso,pso --search stateful -DFENCE => Safe
// check: sc --search stateful => Safe
// check: tso,pso --search stateful => Violation assertion
#include "exclusion.h"

#ifndef THREADS
#define THREADS 2
#endif
enum { kThreads = THREADS };
static atomic_int b[kThreads + 1], x, y;
static atomic_int inside;

static void lock(int i) {
    for (;;) {
        STORE(b[i], 1);
        ORDER();
        STORE(x, i);
        ORDER();
        if (LOAD(y) != 0) {
            STORE(b[i], 0);
            ORDER();
            while (LOAD(y) != 0) {
            }
            continue;
        }
        STORE(y, i);
        ORDER();
        if (LOAD(x) == i) {
            return;
        }
        STORE(b[i], 0);
        ORDER();
        for (int j = 1; j <= kThreads; j++) {
            while (LOAD(b[j])) {
            }
        }
        if (LOAD(y) == i) {
            return;
        }
        while (LOAD(y) != 0) {
        }
    }
}

static void* thread(void* arg) {
    const int me = index_of(arg) + 1;
    for (;;) {
        lock(me);
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        STORE(y, 0);
        ORDER();
        STORE(b[me], 0);
        ORDER();
    }
    return 0;
}

int main(void) {
    in_parallel(kThreads, thread);
    return 0;
}

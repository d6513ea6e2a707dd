// Peterson's filter lock for three threads (for two: a Peterson lock): on each of the levels the last one to arrive waits for the others.
//
// RELAXED: all accesses relaxed but the release at the end; two threads are enough.
//
// check: sc,rc11 => Safe
// check: ra => Violation assertion
// check: sc,tso,pso,rc11,power,armv8 -DTHREADS=2 => Safe
// check: sc -DTHREADS=2 -DRELAXED => Safe
// check: tso,pso,ra,rc11,power,armv8 -DTHREADS=2 -DRELAXED => Violation assertion,data-race
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifdef RELAXED
#define ORDER memory_order_relaxed
#define RELEASE memory_order_release
#else
#define ORDER memory_order_seq_cst
#define RELEASE memory_order_seq_cst
#endif

static atomic_int level[THREADS];
static atomic_int victim[THREADS];
static int counter;

static int somebody_is_as_far(int me, int at) {
    for (int k = 0; k < THREADS; ++k) {
        if (k != me && atomic_load_explicit(&level[k], ORDER) >= at) {
            return 1;
        }
    }
    return 0;
}

static void lock(int me) {
    for (int at = 1; at < THREADS; ++at) {
        atomic_store_explicit(&level[me], at, ORDER);
        atomic_store_explicit(&victim[at], me, ORDER);
        while (somebody_is_as_far(me, at) && atomic_load_explicit(&victim[at], ORDER) == me) {
        }
    }
}

static void* body(void* argument) {
    const int me = index_of(argument);
    lock(me);
    ++counter;
    atomic_store_explicit(&level[me], 0, RELEASE);
    return argument;
}

int main(void) {
    in_parallel(THREADS, body);
    assert(counter == THREADS);
    return 0;
}

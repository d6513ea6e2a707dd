// What a loop reads in an iteration that fails, and only there. The other thread takes the first object of a pair away by an exchange; if nobody had it, it changes it (or frees it, FREES)
// while the loop may be reading it, and the loop's compare-exchange then fails: the iteration that counts reads the second object. With the first pair nothing is changed, so that the search has
// met the loop before it can go wrong. Waiting on data that are accessed plainly (AWAITED) is the same: the read that keeps the thread waiting is in no execution. RIGHT changes nothing.
//
// check: rc11 => Violation data-race
// check: sc,tso,pso,ra => Safe
// check: sc,tso,pso,ra --races => Violation data-race
// check: sc,tso,pso,ra,rc11 -DFREES => Violation use-after-free
// check: rc11 -DAWAITED => Violation data-race
// check: sc,tso,pso,ra -DAWAITED --races => Violation data-race
// check: sc,tso,pso,ra,rc11 -DRIGHT --races => Safe
// check: sc,tso,pso,ra,rc11 -DRIGHT -DFREES => Safe
#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PAIRS = 2 };

#ifdef FREES
static atomic_int* objects[PAIRS][2];
static int value_of(int pair, int which) { return atomic_load_explicit(objects[pair][which], memory_order_relaxed); }
#else
static int objects[PAIRS][2];
static int value_of(int pair, int which) { return *(volatile int*)&objects[pair][which]; }
#endif
static atomic_int current[PAIRS];
static bool freed;

static void look(int pair) {
    int which = atomic_load_explicit(&current[pair], memory_order_acquire);
    int seen;
    do {
        seen = value_of(pair, which);
    } while (
        !atomic_compare_exchange_strong_explicit(&current[pair], &which, which + 2, memory_order_acq_rel, memory_order_acquire));
    (void)seen;
}

static void* looks(void* argument) {
#ifdef AWAITED
    while (!atomic_load(&current[0]) && value_of(0, 0) == 0) {
    }
#else
    for (int pair = 0; pair < PAIRS; ++pair) {
        look(pair);
    }
#endif
    return argument;
}

static void* changes(void* argument) {
#ifdef AWAITED
    objects[0][0] = 0;
    atomic_store(&current[0], 1);
#else
    bool mine = false;
    for (int pair = 0; pair < PAIRS; ++pair) {
        mine = atomic_exchange_explicit(&current[pair], 1, memory_order_acq_rel) == 0;
    }
#ifndef RIGHT
    if (mine) {
#ifdef FREES
        free(objects[PAIRS - 1][0]);
        freed = true;
#else
        objects[PAIRS - 1][0] = 5;
#endif
    }
#endif
#endif
    return argument;
}

int main(void) {
#ifdef FREES
    for (int pair = 0; pair < PAIRS; ++pair) {
        for (int i = 0; i < 2; ++i) {
            objects[pair][i] = calloc(1, sizeof *objects[pair][i]);
        }
    }
#endif
    run_all(2, (void* (*const[])(void*)){looks, changes});
#ifdef FREES
    for (int pair = 0; pair < PAIRS; ++pair) {
        for (int i = freed && pair == PAIRS - 1 ? 1 : 0; i < 2; ++i) {
            free(objects[pair][i]);
        }
    }
#endif
    return 0;
}

// Vyukov's bounded queue for many producers and consumers: every cell has a sequence number that says whose turn it is.
//
// BROKEN: the sequence number is stored relaxed. pso may show it before the value in the cell, and rc11 has a race on the value.
//
// check: sc,tso,pso,ra,rc11 => Safe
// check: sc,tso,ra -DBROKEN => Safe
// check: pso -DBROKEN => Violation assertion
// check: rc11 -DBROKEN => Violation data-race,assertion
#include "threads.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef BROKEN
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

enum { CELLS = 2 };

static struct cell {
    atomic_uint sequence;
    int value;
} cells[CELLS];
static atomic_uint put_at, take_at;

/// The cell to use at `position`, claimed; NULL when it is not yet ready: full (for a producer) or empty (for a consumer).
static struct cell* claim(atomic_uint* position, unsigned ready_at, unsigned* claimed) {
    unsigned at = atomic_load_explicit(position, memory_order_relaxed);
    for (;;) {
        struct cell* cell = &cells[at % CELLS];
        const unsigned sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
        const int ahead = (int)(sequence - (at + ready_at));
        if (ahead < 0) {
            return NULL;
        }
        if (ahead > 0) {
            at = atomic_load_explicit(position, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(position, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) {
            *claimed = at;
            return cell;
        }
    }
}

static bool put(int value) {
    unsigned at;
    struct cell* cell = claim(&put_at, 0, &at);
    if (!cell) {
        return false;
    }
    cell->value = value;
    atomic_store_explicit(&cell->sequence, at + 1, PUBLISH);
    return true;
}

static bool take(int* value) {
    unsigned at;
    struct cell* cell = claim(&take_at, 1, &at);
    if (!cell) {
        return false;
    }
    *value = cell->value;
    atomic_store_explicit(&cell->sequence, at + CELLS, PUBLISH);
    return true;
}

static void* producer(void* argument) {
    const bool done = put(index_of(argument) + 1);
    assert(done); // two values, two cells
    return NULL;
}

static void* consumer(void* argument) {
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        int value;
        while (!take(&value)) {
            sched_yield();
        }
        sum += value;
    }
    assert(sum == 3);
    return argument;
}

int main(void) {
    for (unsigned i = 0; i < CELLS; ++i) {
        atomic_init(&cells[i].sequence, i);
    }
    run_all(3, (void* (*const[])(void*)){producer, producer, consumer});
    return 0;
}

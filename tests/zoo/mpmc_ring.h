// Vyukov's bounded queue for many producers and consumers: every cell has a sequence number that says whose turn it is. Not a program itself.
//
// BROKEN: the sequence number is stored relaxed.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

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

static void make_ring(void) {
    for (unsigned i = 0; i < CELLS; ++i) {
        atomic_init(&cells[i].sequence, i);
    }
}

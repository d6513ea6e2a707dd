// mpmc_ring(WRITERS, READERS): Vyukov's bounded queue for many producers and consumers; every cell has a sequence number that says
// whose turn it is. Each producer puts one value, or finds the ring full; each consumer takes one, or finds it empty.
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 2
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

static void put(int value) {
    unsigned at;
    struct cell* cell = claim(&put_at, 0, &at);
    if (cell) {
        cell->value = value;
        atomic_store_explicit(&cell->sequence, at + 1, memory_order_release);
    }
}

static bool take(int* value) {
    unsigned at;
    struct cell* cell = claim(&take_at, 1, &at);
    if (!cell) {
        return false;
    }
    *value = cell->value;
    atomic_store_explicit(&cell->sequence, at + CELLS, memory_order_release);
    return true;
}

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me < WRITERS) {
        put(me + 1);
    } else {
        int value;
        if (take(&value)) {
            assert(1 <= value && value <= WRITERS);
        }
    }
    return NULL;
}

/// As in_parallel of threads.h, but with constant bounds: --unroll, which this program is run with, does not cut such loops.
static void start_and_join(void) {
    pthread_t threads[WRITERS + READERS];
    for (int i = 0; i < WRITERS + READERS; ++i) {
        pthread_create(&threads[i], NULL, work, (void*)(intptr_t)i);
    }
#ifndef NO_JOIN
    for (int i = 0; i < WRITERS + READERS; ++i) {
        pthread_join(threads[i], NULL);
    }
#endif
}

int main(void) {
    for (unsigned i = 0; i < CELLS; ++i) {
        atomic_init(&cells[i].sequence, i);
    }
    start_and_join();
    return 0;
}

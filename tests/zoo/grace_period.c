// User-space RCU with grace periods: the reader copies a counter when it begins, the writer flips the counter's phase twice, each time waiting until no reader is left in the old
// phase, and then frees what it had replaced. The fences are on both sides of what they order; under ra they do nothing.
//
// BROKEN: without the fences.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation use-after-free
// check: sc -DBROKEN => Safe
// check: tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation use-after-free,data-race
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define FENCE ((void)0)
#else
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#endif

enum { READING = 1, PHASE = 2 };

static atomic_int period = READING;
static atomic_int reader_period;
static int* _Atomic current;

static int* new_value(int v) {
    int* p = malloc(sizeof *p);
    *p = v;
    return p;
}

static void* reader(void* argument) {
    atomic_store_explicit(&reader_period, atomic_load_explicit(&period, memory_order_relaxed), memory_order_relaxed);
    FENCE;
    const int value = *atomic_load_explicit(&current, memory_order_acquire);
    assert(value == 1 || value == 2);
    FENCE;
    atomic_store_explicit(&reader_period, 0, memory_order_relaxed);
    return argument;
}

static int reads_since_before(int now) {
    const int of_reader = atomic_load_explicit(&reader_period, memory_order_relaxed);
    return (of_reader & READING) && ((of_reader ^ now) & PHASE);
}

static void synchronize(void) {
    FENCE;
    for (int k = 0; k < 2; ++k) {
        const int now = atomic_load_explicit(&period, memory_order_relaxed) ^ PHASE;
        atomic_store_explicit(&period, now, memory_order_relaxed);
        FENCE;
        while (reads_since_before(now)) {
        }
    }
    FENCE;
}

static void* writer(void* argument) {
    int* old = atomic_exchange_explicit(&current, new_value(2), memory_order_acq_rel);
    synchronize();
    free(old);
    return argument;
}

int main(void) {
    atomic_init(&current, new_value(1));
    run_all(2, (void* (*const[])(void*)){reader, writer});
    free(atomic_load(&current));
    return 0;
}

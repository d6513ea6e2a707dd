// Lazy creation by compare-and-swap: whoever comes second must give its own object back. BROKEN forgets to: a leak, but only when
// both meet.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation leak
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* _Atomic shared;

static int* instance(void) {
    int* known = atomic_load_explicit(&shared, memory_order_acquire);
    if (known) {
        return known;
    }
    int* mine = malloc(sizeof *mine);
    *mine = 42;
    if (atomic_compare_exchange_strong_explicit(&shared, &known, mine, memory_order_acq_rel, memory_order_acquire)) {
        return mine;
    }
#ifndef BROKEN
    free(mine);
#endif
    return known;
}

static void* work(void* argument) {
    assert(*instance() == 42);
    return argument;
}

int main(void) {
    in_parallel(2, work);
    free(atomic_load(&shared));
    return 0;
}

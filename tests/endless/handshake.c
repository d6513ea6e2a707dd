// Each waits for the other, once: both end, since a store does not stay in its buffer for ever.
// check: sc,tso,pso --search stateful --property termination => Safe
// check: sc,tso,pso --search stateful --property termination -DDEAF => Violation liveness
#include "../zoo/threads.h"

#include <stdatomic.h>

static atomic_int x, y;

static void* first(void* arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&y, memory_order_relaxed)) {
    }
    return arg;
}

static void* second(void* arg) {
    while (!atomic_load_explicit(&x, memory_order_relaxed)) {
    }
#ifndef DEAF
    atomic_store_explicit(&y, 1, memory_order_relaxed);
#endif
    return arg;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){first, second});
    return 0;
}

// Each waits for the other, once: both end, since a store does not stay in its buffer for ever.
// check: sc,tso,pso --search stateful --property termination => Safe
// check: sc,tso,pso --search stateful --property termination -DDEAF => Violation liveness
#include <pthread.h>
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
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

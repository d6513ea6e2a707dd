// Messages on the heap, for ever: one thread allocates and hands over, the other looks and frees. Objects are numbered again in each state, or
// there would be no end of states. -DAFTER: it looks after freeing.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DAFTER => Violation use-after-free
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int*) mail;

static void* sender(void* arg) {
    (void)arg;
    for (int k = 0;; k = !k) {
        int* p = malloc(sizeof *p);
        *p = k;
        while (atomic_load_explicit(&mail, memory_order_acquire)) {
        }
        atomic_store_explicit(&mail, p, memory_order_release);
    }
    return 0;
}

static void* receiver(void* arg) {
    (void)arg;
    for (int k = 0;; k = !k) {
        int* p;
        while (!(p = atomic_load_explicit(&mail, memory_order_acquire))) {
        }
        atomic_store_explicit(&mail, 0, memory_order_release);
#ifndef AFTER
        assert(*p == k);
#endif
        free(p);
#ifdef AFTER
        assert(*p == k);
#endif
    }
    return 0;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){sender, receiver});
    return 0;
}

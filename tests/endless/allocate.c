// Messages on the heap, for ever: one thread allocates and hands over, the other looks and frees. Objects are numbered again in each state, or
// there would be no end of states. -DAFTER: it looks after freeing.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DAFTER => Violation use-after-free
#include <assert.h>
#include <pthread.h>
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
    pthread_t s, r;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_join(r, 0);
    return 0;
}

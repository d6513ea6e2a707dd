// A mailbox, for ever: one thread makes a letter, writes it with plain stores while nobody else can reach it, and hands it over; the other reads it, and
// ends it. That the letter was private when it was written does not order the accesses, a release does.
// check: sc,tso,pso --search stateful --races => Safe
// check: sc,tso,pso --search stateful --races -DGIVE=memory_order_relaxed => Violation data-race
// check: sc,tso --search stateful -DGIVE=memory_order_relaxed => Safe
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef GIVE
#define GIVE memory_order_release
#endif

struct letter {
    int from, to;
};
static _Atomic(struct letter*) box;

static void* writes(void* arg) {
    for (int k = 0;; k = (k + 1) % 2) {
        struct letter* const l = malloc(sizeof *l);
        l->from = k;
        l->to = k + 1;
        while (atomic_load_explicit(&box, memory_order_acquire) != NULL) {
        }
        atomic_store_explicit(&box, l, GIVE);
    }
    return arg;
}

static void* reads(void* arg) {
    for (;;) {
        struct letter* const l = atomic_exchange_explicit(&box, NULL, memory_order_acq_rel);
        if (l) {
            assert(l->to == l->from + 1);
            free(l);
        }
    }
    return arg;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){writes, reads});
    return 0;
}

// A hazard pointer: the reader says which object it is about to use and looks whether it is still the current one; who replaces an object frees it when no reader says so. Both
// are store buffering (I use it; is it current? against: it is not current; who uses it?), so both need a fence, which does nothing under ra.
//
// BROKEN: without the fences. On ARMv8 nothing is wrong even so: a releasing store is never overtaken by an acquiring load.
// BROKEN_TRUST: the reader does not look again.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation use-after-free
// check: sc,armv8 -DBROKEN => Safe
// check: tso,pso,ra,rc11,power -DBROKEN => Violation use-after-free,data-race
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN_TRUST => Violation use-after-free,data-race
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define FENCE ((void)0)
#else
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#endif

struct config {
    int version;
};

static struct config* _Atomic current;
static struct config* _Atomic hazard;

static struct config* new_config(int version) {
    struct config* c = malloc(sizeof *c);
    c->version = version;
    return c;
}

static void* reader(void* argument) {
    struct config* c = NULL;
    do {
        c = atomic_load_explicit(&current, memory_order_acquire);
        atomic_store_explicit(&hazard, c, memory_order_release);
        FENCE;
#ifdef BROKEN_TRUST
    } while (0);
#else
    } while (c != atomic_load_explicit(&current, memory_order_acquire));
#endif
    assert(c->version == 1 || c->version == 2);
    atomic_store_explicit(&hazard, NULL, memory_order_release);
    return argument;
}

static void* writer(void* argument) {
    struct config* old = atomic_exchange_explicit(&current, new_config(2), memory_order_acq_rel);
    FENCE;
    while (atomic_load_explicit(&hazard, memory_order_acquire) == old) {
    }
    free(old);
    return argument;
}

int main(void) {
    atomic_init(&current, new_config(1));
    run_all(2, (void* (*const[])(void*)){reader, writer});
    free(atomic_load(&current));
    return 0;
}

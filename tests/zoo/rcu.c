// Publication as in RCU: readers mark that they read and follow a pointer; the writer publishes a new object, waits until no
// reader is left that could hold the old one, and frees it.
//
// BROKEN: no fences. "I read; which object?" against "a new object; who reads?" is store buffering: the reader may take the old
// object while the writer misses its mark. Fences do nothing under ra, so it is broken there in any case.
// BROKEN_PUBLISH: the pointer is published relaxed; pso may show it before the object's contents, and rc11 has a race on them.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation use-after-free
// check: sc -DBROKEN => Safe
// check: tso,pso,ra -DBROKEN => Violation use-after-free
// check: rc11,power,armv8 -DBROKEN => Violation use-after-free,data-race
// check: sc,tso -DBROKEN_PUBLISH => Safe
// check: pso -DBROKEN_PUBLISH => Violation assertion,uninitialized-read
// check: rc11,power,armv8 -DBROKEN_PUBLISH => Violation data-race,assertion,uninitialized-read
#include "threads.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define FENCE ((void)0)
#else
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#endif
#ifdef BROKEN_PUBLISH
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct config {
    int version;
};

static struct config* _Atomic current;
static atomic_int reading;

static struct config* new_config(int version) {
    struct config* c = malloc(sizeof *c);
    c->version = version;
    return c;
}

static void* reader(void* argument) {
    atomic_store_explicit(&reading, 1, memory_order_relaxed);
    FENCE;
    const struct config* c = atomic_load_explicit(&current, memory_order_acquire);
    const int version = c->version;
    assert(version == 1 || version == 2);
    atomic_store_explicit(&reading, 0, memory_order_release);
    return argument;
}

static void* writer(void* argument) {
    struct config* old = atomic_load_explicit(&current, memory_order_relaxed);
    atomic_store_explicit(&current, new_config(2), PUBLISH);
    FENCE;
    while (atomic_load_explicit(&reading, memory_order_acquire)) {
        sched_yield();
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

// Reference counting with weak references. Who lets go last destroys the object, and must know all that others did to it before: they release, it acquires.
// A weak reference is made a strong one only if there is a strong one still: an increment, unless the count is zero, in one step.
//
// BROKEN_RELEASE: letting go is relaxed. x86's updates are fences all the same, and so are PSO's here; under ra all are acquire and release.
// BROKEN_ACQUIRE: who destroys does not acquire.
// BROKEN_UPGRADE: looking and incrementing are two steps: wrong under every model.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra -DBROKEN_RELEASE => Safe
// check: rc11,power,armv8 -DBROKEN_RELEASE => Violation data-race,use-after-free,assertion
// check: sc,tso,pso,ra -DBROKEN_ACQUIRE => Safe
// check: rc11 -DBROKEN_ACQUIRE => Violation data-race,use-after-free
// check: sc,tso,pso,ra,rc11 -DBROKEN_UPGRADE => Violation use-after-free,assertion,data-race,double-free
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN_RELEASE
#define LET_GO memory_order_relaxed
#else
#define LET_GO memory_order_release
#endif
#ifdef BROKEN_ACQUIRE
#define ACQUIRE ((void)0)
#else
#define ACQUIRE atomic_thread_fence(memory_order_acquire)
#endif

struct object {
    atomic_int strong;
    atomic_int weak; ///< all strong ones together count as one
    int value;
};

static struct object* shared;

static void drop_weak(struct object* o) {
    if (atomic_fetch_sub_explicit(&o->weak, 1, LET_GO) == 1) {
        ACQUIRE;
        free(o);
    }
}

static void drop(struct object* o) {
    if (atomic_fetch_sub_explicit(&o->strong, 1, LET_GO) == 1) {
        ACQUIRE;
        o->value = 0; // what a destructor does
        drop_weak(o);
    }
}

static int upgrade(struct object* o) {
#ifdef BROKEN_UPGRADE
    if (atomic_load_explicit(&o->strong, memory_order_acquire) == 0) {
        return 0;
    }
    atomic_fetch_add_explicit(&o->strong, 1, memory_order_acquire);
    return 1;
#else
    int count = atomic_load_explicit(&o->strong, memory_order_relaxed);
    while (count != 0) {
        if (atomic_compare_exchange_weak_explicit(&o->strong, &count, count + 1, memory_order_acquire, memory_order_relaxed)) {
            return 1;
        }
    }
    return 0;
#endif
}

static void* owner(void* argument) {
    assert(shared->value == 5);
    drop(shared);
    return argument;
}

static void* observer(void* argument) {
    if (upgrade(shared)) {
        assert(shared->value == 5);
        drop(shared);
    }
    drop_weak(shared);
    return argument;
}

int main(void) {
    shared = malloc(sizeof *shared);
    atomic_init(&shared->strong, 1);
    atomic_init(&shared->weak, 2);
    shared->value = 5;
    run_all(2, (void* (*const[])(void*)){owner, observer});
    return 0;
}

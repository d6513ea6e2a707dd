// An event count: who waits says so, looks once more, and sleeps; who makes the condition true looks whether somebody says so and wakes it. Store buffering: both need a fence, which does nothing under ra.
//
// BROKEN: without the fences the waiter sleeps for good.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation deadlock
// check: sc -DBROKEN => Safe
// check: tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation deadlock
#include "threads.h"

#include <semaphore.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FENCE ((void)0)
#else
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int ready;
static atomic_int sleeping;
static sem_t wake;

static void* waiter(void* argument) {
    if (!atomic_load_explicit(&ready, memory_order_acquire)) {
        atomic_store_explicit(&sleeping, 1, memory_order_relaxed);
        FENCE;
        if (!atomic_load_explicit(&ready, memory_order_acquire)) {
            sem_wait(&wake);
        }
    }
    return argument;
}

static void* notifier(void* argument) {
    atomic_store_explicit(&ready, 1, memory_order_release);
    FENCE;
    if (atomic_load_explicit(&sleeping, memory_order_relaxed)) {
        sem_post(&wake);
    }
    return argument;
}

int main(void) {
    sem_init(&wake, 0, 0);
    run_all(2, (void* (*const[])(void*)){waiter, notifier});
    return 0;
}

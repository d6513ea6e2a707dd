// PostgreSQL's latches: a waiter resets its latch, looks for work, and waits for the latch if there is none; a waker puts the
// work down and sets the latch, unless it is set already (saving the wake-up).
//
// Reset-then-look against put-then-test is store buffering: without the two fences (BROKEN) the waiter may miss the work while
// the waker sees the latch still set, and the waiter spins forever. PostgreSQL met it on PowerPC in 2011; tso, pso and rc11 show
// it too. Fences do nothing under ra, where every access is release/acquire and nothing more: there it needs updates.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation liveness
// check: sc -DBROKEN => Safe
// check: tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation liveness
#include "threads.h"

#include <sched.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FENCE ((void)0)
#else
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int latch = 1; // set by somebody for another reason
static atomic_int work;

static void* waiter(void* argument) {
    for (;;) {
        atomic_store_explicit(&latch, 0, memory_order_relaxed);
        FENCE;
        if (atomic_load_explicit(&work, memory_order_relaxed)) {
            return argument;
        }
        while (!atomic_load_explicit(&latch, memory_order_relaxed)) {
            sched_yield();
        }
    }
}

static void* waker(void* argument) {
    atomic_store_explicit(&work, 1, memory_order_relaxed);
    FENCE;
    if (!atomic_load_explicit(&latch, memory_order_relaxed)) {
        atomic_store_explicit(&latch, 1, memory_order_relaxed);
    }
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){waiter, waker});
    return 0;
}

// Java's LockSupport.park and unpark, as HotSpot had them until 2009 (bug 6822370, found by Dave Dice): a thread could sleep
// forever.
//
// park() takes a permit that is already there by storing 0, without a fence (BROKEN). Its caller then looks at its condition, and
// that load may overtake the store: the condition is still false, the other thread makes it true and finds the permit "still
// there", so wakes nobody; then the 0 arrives and wipes the permit out. HotSpot's repair is a fence after the store (FENCED).
// That is enough where stores keep their order around the lock (tso, pso), but ra and rc11 still let the 0 come last in the order
// of the permit's stores. An atomic exchange on both sides is right everywhere.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso -DFENCED => Safe
// check: ra,rc11,power,armv8 -DFENCED => Violation deadlock
// check: sc -DBROKEN => Safe
// check: tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation deadlock
#include "threads.h"

#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int permit = 1; // left over from an earlier unpark
static atomic_int ready;

/// The permit's old value.
static int set_permit(int value) {
#if defined(BROKEN) || defined(FENCED)
    const int old = atomic_load_explicit(&permit, memory_order_relaxed);
    atomic_store_explicit(&permit, value, memory_order_relaxed);
    return old;
#else
    return atomic_exchange_explicit(&permit, value, memory_order_acq_rel);
#endif
}

static void park(void) {
    if (atomic_load_explicit(&permit, memory_order_relaxed) > 0) {
        set_permit(0);
#ifdef FENCED
        atomic_thread_fence(memory_order_seq_cst);
#endif
        return;
    }
    pthread_mutex_lock(&mutex);
    if (atomic_load_explicit(&permit, memory_order_relaxed) == 0) {
        pthread_cond_wait(&condition, &mutex);
    }
    set_permit(0);
    pthread_mutex_unlock(&mutex);
}

static void unpark(void) {
    pthread_mutex_lock(&mutex);
    const int old = set_permit(1);
    pthread_mutex_unlock(&mutex);
    if (old == 0) {
        pthread_cond_signal(&condition);
    }
}

static void* waiter(void* argument) {
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) {
        park();
    }
    return argument;
}

static void* waker(void* argument) {
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    unpark();
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){waiter, waker});
    return 0;
}

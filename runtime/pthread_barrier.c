// Barriers and pthread_once.
#include "internal.h"

#include <errno.h>
#include <pthread.h>

/// Our view of pthread_barrier_t. Arrivals are numbered for the barrier's whole life: arrival t belongs to round t / threads, and
/// the last of a round opens it by counting `opened` up. Nothing is ever set back, so a slow thread of one round and a fast one
/// of the next cannot disturb each other.
struct barrier {
    uint32_t threads;
    uint32_t arrived;
    uint32_t opened; ///< rounds that are complete
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "must fit into glibc's type");

static inline struct barrier* barrier_of(pthread_barrier_t* b) { return (struct barrier*)(void*)b; }

int pthread_barrier_init(pthread_barrier_t* restrict barrier, const pthread_barrierattr_t* restrict attr, unsigned threads) {
    (void)attr;
    if (threads == 0) {
        return EINVAL;
    }
    struct barrier* b = barrier_of(barrier);
    b->threads = threads;
    b->arrived = 0;
    b->opened = 0;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) {
    // The words stay as they are: threads of the last round may still be about to find it opened. (Freeing the memory of the
    // barrier at that moment is reported; glibc's destroy would wait for them.)
    struct barrier* b = barrier_of(barrier);
    if (__atomic_load_n(&b->arrived, __ATOMIC_ACQUIRE) % b->threads != 0) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_barrier_destroy: threads are waiting at the barrier");
    }
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
    struct barrier* b = barrier_of(barrier);
    uint32_t threads = b->threads;
    uint32_t ticket = __atomic_fetch_add(&b->arrived, 1, __ATOMIC_ACQ_REL);
    if (ticket % threads == threads - 1) {
        // An update and not a store: with more threads than the barrier counts, the last ones of two rounds may come here in
        // either order. Whichever comes first has synchronised, through `arrived`, with all the arrivals that it lets go.
        __atomic_fetch_add(&b->opened, 1, __ATOMIC_RELEASE);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    __heddle_wait_load(&b->opened, sizeof b->opened, HEDDLE_ACQUIRE, HEDDLE_WAIT_GREATER, ticket / threads);
    return 0;
}

enum { ONCE_NEW = PTHREAD_ONCE_INIT, ONCE_RUNNING = 1, ONCE_DONE = 2 };

int pthread_once(pthread_once_t* once, void (*routine)(void)) {
    int seen = ONCE_NEW;
    if (__atomic_compare_exchange_n(once, &seen, ONCE_RUNNING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        routine();
        __atomic_store_n(once, ONCE_DONE, __ATOMIC_RELEASE);
    } else if (seen != ONCE_DONE) {
        __heddle_wait_load(once, sizeof *once, HEDDLE_ACQUIRE, HEDDLE_WAIT_EQUAL, ONCE_DONE);
    }
    return 0;
}

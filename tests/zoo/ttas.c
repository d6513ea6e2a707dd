// Test and test-and-set, with the backoff that such locks have in practice.
//
// BROKEN_LOCK: taking the lock is relaxed; only rc11 minds (an update is a full fence under tso and pso).
// BROKEN_UNLOCK: freeing it is relaxed; pso may show the free lock before the critical section's store.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra -DBROKEN_LOCK => Safe
// check: rc11,power,armv8 -DBROKEN_LOCK => Violation data-race,assertion
// check: sc,tso,ra -DBROKEN_UNLOCK => Safe
// check: pso -DBROKEN_UNLOCK => Violation assertion
// check: rc11,power,armv8 -DBROKEN_UNLOCK => Violation data-race,assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN_LOCK
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif
#ifdef BROKEN_UNLOCK
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

enum { THREADS = 2 };

static atomic_int locked;
static int counter;

static void lock(void) {
    while (atomic_exchange_explicit(&locked, 1, ACQUIRE)) {
        while (atomic_load_explicit(&locked, memory_order_relaxed)) {
            for (int i = 0; i < 2; ++i) {
                pause_cpu();
            }
        }
    }
}

static void unlock(void) { atomic_store_explicit(&locked, 0, RELEASE); }

static void* work(void* argument) {
    lock();
    ++counter;
    unlock();
    return argument;
}

int main(void) {
    in_parallel(THREADS, work);
    assert(counter == THREADS);
    return 0;
}

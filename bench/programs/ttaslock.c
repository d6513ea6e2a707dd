// ttaslock(N): a test and test-and-set lock. N threads wait until the lock looks free, take it with an exchange, and begin again
// when another was faster. In the critical section a plain write and read: a race if the lock does not exclude.
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int locked;
static int shared;

static void lock(void) {
    do {
        while (atomic_load_explicit(&locked, memory_order_relaxed) != 0) {
            pause_cpu();
        }
    } while (atomic_exchange_explicit(&locked, 1, memory_order_acquire) != 0);
}

static void unlock(void) { atomic_store_explicit(&locked, 0, memory_order_release); }

static void* work(void* argument) {
    const int me = index_of(argument);
    lock();
    shared = me;
    assert(shared == me);
    unlock();
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

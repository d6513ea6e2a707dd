// Ways to wait that people write: for one of two flags, for a flag or a stop, with trylock, with an exchange that puts back what it found, and
// with a limited number of tries.
//
// NEVER: nobody raises the flag that the first loop waits for, nor the stop. That is a thread that waits for ever, and is said to be.
// HELD: the lock is never given back.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DNEVER => Violation liveness
// check: sc,tso,pso,ra,rc11,power,armv8 -DHELD => Violation liveness
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

static atomic_int left, right, stop, token = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int by_lock, by_token;

static void* wait_for_two(void* argument) {
    while (!atomic_load_explicit(&left, memory_order_acquire) && !atomic_load_explicit(&right, memory_order_acquire)) {
    }
    return argument;
}

static void* wait_or_stop(void* argument) {
    for (int tries = 0; tries < 2; ++tries) { // at most so often: never a wait
        if (atomic_load_explicit(&left, memory_order_acquire)) {
            break;
        }
    }
    while (!atomic_load_explicit(&stop, memory_order_acquire) && !atomic_load_explicit(&right, memory_order_acquire)) {
    }
    return argument;
}

static void* raise_flags(void* argument) {
#ifndef NEVER
    atomic_store_explicit(&right, 1, memory_order_release);
#endif
    return argument;
}

static void* take_turns(void* argument) {
    while (pthread_mutex_trylock(&mutex)) {
        pause_cpu();
    }
    ++by_lock;
#ifndef HELD
    pthread_mutex_unlock(&mutex);
#endif
    while (!atomic_exchange_explicit(&token, 0, memory_order_acquire)) { // who finds nothing puts nothing back
    }
    ++by_token;
    atomic_store_explicit(&token, 1, memory_order_release);
    return argument;
}

int main(void) {
    run_all(3, (void* (*const[])(void*)){wait_for_two, wait_or_stop, raise_flags});
    in_parallel(2, take_turns);
    assert(by_lock == 2 && by_token == 2);
    return 0;
}

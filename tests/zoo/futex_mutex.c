// A mutex on a futex, with three values: free, taken, taken and somebody may sleep. The futex is made of a mutex and a condition variable.
//
// BROKEN: who sleeps has not said so, and nobody wakes it.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation deadlock
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { FREE, TAKEN, CONTENDED };

static atomic_int word;
static pthread_mutex_t futex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static int counter;

static void futex_wait(int expected) {
    pthread_mutex_lock(&futex);
    if (atomic_load_explicit(&word, memory_order_relaxed) == expected) {
        pthread_cond_wait(&woken, &futex);
    }
    pthread_mutex_unlock(&futex);
}

static void futex_wake(void) {
    pthread_mutex_lock(&futex);
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&futex);
}

static int take(int as) {
    int expected = FREE;
    return atomic_compare_exchange_strong_explicit(&word, &expected, as, memory_order_acquire, memory_order_relaxed);
}

static void lock(void) {
    if (take(TAKEN)) {
        return;
    }
#ifdef BROKEN
    do {
        futex_wait(TAKEN);
    } while (!take(TAKEN));
#else
    while (atomic_exchange_explicit(&word, CONTENDED, memory_order_acquire) != FREE) {
        futex_wait(CONTENDED);
    }
#endif
}

static void unlock(void) {
    if (atomic_exchange_explicit(&word, FREE, memory_order_release) == CONTENDED) {
        futex_wake();
    }
}

static void* body(void* argument) {
    lock();
    ++counter;
    unlock();
    return argument;
}

int main(void) {
    in_parallel(2, body);
    assert(counter == 2);
    return 0;
}

// equal(N): many writes of few values. Reads-from tells writes of the same value apart, values do not.
//
// WRITERS: N threads write 1, one reads, and main in the end. CAS: N threads each swap 0 for 1 and write 0 back. PARITY: N threads add 1 modulo 2 under a lock. FLAGS: N workers take
// items from a queue by flags.
//
// check: sc,tso,pso -DWRITERS -DN=6 --equivalence value => Safe complete=2 blocked=0
// check: sc -DWRITERS -DN=6 --equivalence rf --no-symmetry => Safe complete=42 blocked=0
// check: ra,rc11 -DWRITERS -DN=6 --equivalence value => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DCAS -DN=3 --equivalence value => Safe complete=7 blocked=0
// check: sc,tso,pso,ra,rc11 -DCAS -DN=3 --equivalence trace => Safe
// check: sc,tso,pso -DPARITY -DN=4 --equivalence value => Safe complete=6 blocked=0
// check: ra,rc11 -DPARITY -DN=4 --equivalence value => Safe complete=6 blocked=0
// check: sc -DPARITY -DN=4 --equivalence rf --no-symmetry => Safe complete=24 blocked=0
// check: sc,tso,pso,ra,rc11 -DFLAGS -DN=3 --equivalence value => Safe
// check: sc,tso,pso,ra,rc11 -DFLAGS -DN=3 --equivalence rf => Safe
// check: sc,tso,pso,ra,rc11 -DFLAGS -DBROKEN -DN=3 --equivalence value => Violation assertion
// check: sc,tso,pso,ra,rc11 -DFLAGS -DBROKEN -DN=3 --equivalence rf => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

#if defined(WRITERS)
#define THREADS (N + 1)
static void* work(void* argument) {
    if (index_of(argument) == N) {
        (void)atomic_load_explicit(&x, memory_order_relaxed);
    } else {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
    }
    return NULL;
}
static void check(void) { assert(x == 1); }

#elif defined(CAS)
#define THREADS N
static void* work(void* argument) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
        atomic_store_explicit(&x, 0, memory_order_release);
    }
    return argument;
}
static void check(void) { assert(x == 0); }

#elif defined(PARITY)
#define THREADS N
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int parity;
static void* work(void* argument) {
    pthread_mutex_lock(&mutex);
    parity = (parity + 1) % 2;
    pthread_mutex_unlock(&mutex);
    return argument;
}
static void check(void) { assert(parity == N % 2); }

#else // FLAGS
#define THREADS N
static atomic_int taken[2], done[2];
static void* work(void* argument) {
    for (int i = 0; i < 2; ++i) {
#ifdef BROKEN
        if (!atomic_load(&taken[i])) {
            atomic_store(&taken[i], 1);
#else
        if (!atomic_exchange(&taken[i], 1)) {
#endif
            assert(!atomic_load(&done[i]));
            atomic_store(&done[i], 1);
        }
    }
    return argument;
}
static void check(void) { assert(done[0] && done[1] && !x); }
#endif

int main(void) {
    in_parallel(THREADS, work);
    check();
    return 0;
}

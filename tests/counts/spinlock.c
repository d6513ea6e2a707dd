// spinlock(N): as people write it. The waits' failed rounds are not explored: N! orders of taking the lock, and for each thread
// what its wait saw: (N!)^2.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=4 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=36 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 --equivalence trace --no-symmetry => Safe complete=576 blocked=0
// check: sc,rc11 -DN=4 --unroll 2 => Safe complete=576 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=14400 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=6 --equivalence trace --no-symmetry => Safe complete=518400 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int locked;
static int shared;

static void* work(void* argument) {
    const int me = index_of(argument);
    int expected;
    do {
        while (atomic_load_explicit(&locked, memory_order_relaxed) != 0) {
            pause_cpu();
        }
        expected = 0;
    } while (!atomic_compare_exchange_strong_explicit(&locked, &expected, 1, memory_order_acquire, memory_order_relaxed));
    shared = me;
    assert(shared == me);
    atomic_store_explicit(&locked, 0, memory_order_release);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

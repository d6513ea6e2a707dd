// last_reads(N): N threads write one location, and each reads it twice and another one that all have written. What the last thread reads is counted without being built
// where happens-before alone decides (search/dpor/explorer_runs.cpp): its second read of x must know what the first has put before its source.
//
// check: ra -DN=2 --equivalence rf --no-symmetry => Safe complete=15 blocked=0
// check: rc11 -DN=2 --equivalence rf --no-symmetry => Safe complete=15 blocked=0
// check: ra -DN=3 --equivalence rf --no-symmetry => Safe complete=904 blocked=0
// check: rc11 -DN=3 --equivalence rf --no-symmetry => Safe complete=994 blocked=0
// check: ra -DN=3 --equivalence trace --no-symmetry => Safe complete=2508 blocked=0
// check: rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=3114 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;
static atomic_int y;

static void* work(void* argument) {
    const int i = index_of(argument);
    atomic_store_explicit(&y, i + 1, memory_order_relaxed);
    atomic_store_explicit(&x, i + 1, memory_order_release);
    atomic_load_explicit(&x, memory_order_acquire);
    atomic_load_explicit(&x, memory_order_relaxed);
    atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

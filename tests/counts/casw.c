// casw(N): thread i swaps 0 for 1 if it finds it, then stores a value of its own. With reads-from alone (rf) there are far fewer.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=6 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=66 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 --equivalence trace --no-symmetry => Safe complete=1200 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=32880 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=6 --equivalence trace --no-symmetry => Safe complete=1270080 blocked=0
// check: sc -DN=4 --equivalence rf --no-symmetry => Safe complete=200 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 -DEQUAL --equivalence value => Safe complete=32 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 -DEQUAL => Safe
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

#ifdef EQUAL // all store the same
#define WRITTEN(me) 3
#else
#define WRITTEN(me) ((me) + 3)
#endif

static atomic_int x;

static void* work(void* argument) {
    int expected = 0;
    atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(&x, WRITTEN(index_of(argument)), memory_order_release);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

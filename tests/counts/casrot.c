// casrot(N): thread i (1 .. N) swaps i - 1 for i if it finds it.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=5 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=43 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=2048 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=10 --equivalence trace --no-symmetry => Safe complete=38486 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=11 --equivalence trace --no-symmetry => Safe complete=182905 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=13 --equivalence trace --no-symmetry => Safe complete=4866871 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* work(void* argument) {
    const int me = index_of(argument) + 1;
    int expected = me - 1;
    atomic_compare_exchange_strong_explicit(&x, &expected, me, memory_order_relaxed, memory_order_relaxed);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

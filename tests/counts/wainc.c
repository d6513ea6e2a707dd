// wainc(N): a store and N increments of one location; (N + 1)! orders.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=6 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 --equivalence trace --no-symmetry => Safe complete=120 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=6 --equivalence trace --no-symmetry => Safe complete=5040 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=7 --equivalence trace --no-symmetry => Safe complete=40320 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=9 --equivalence trace --no-symmetry => Safe complete=3628800 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* work(void* argument) {
    if (index_of(argument) == 0) {
        atomic_store_explicit(&x, 42, memory_order_release);
    } else {
        atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    in_parallel(N + 1, work);
    return 0;
}

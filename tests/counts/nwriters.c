// nwriters(N): N + 1 writers and one reader of one location; (N + 1)! orders of the writes, N + 2 values to read.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=24 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=120 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 --equivalence trace --no-symmetry => Safe complete=720 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=5040 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=6 --equivalence trace --no-symmetry => Safe complete=40320 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=3628800 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=6 -DEQUAL --equivalence value => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 -DEQUAL => Safe
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

#ifdef EQUAL // all write the same, so there are two values to read
#define WRITTEN(me) 1
#else
#define WRITTEN(me) ((me) + 1)
#endif

static atomic_int x;

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me == N + 1) {
        (void)atomic_load_explicit(&x, memory_order_acquire);
    } else {
        atomic_store_explicit(&x, WRITTEN(me), memory_order_release);
    }
    return NULL;
}

int main(void) {
    in_parallel(N + 2, work);
    return 0;
}

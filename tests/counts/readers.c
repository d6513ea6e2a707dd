// readers(N): one writer, N readers; each reader sees the old or the new value.
//
// check: sc,tso,pso,ra,rc11 -DN=1 --equivalence trace --no-symmetry => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=8 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=256 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=14 --equivalence trace --no-symmetry => Safe complete=16384 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=17 --equivalence trace --no-symmetry => Safe complete=131072 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=18 --equivalence trace --no-symmetry => Safe complete=262144 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* work(void* argument) {
    if (index_of(argument) == 0) {
        atomic_store_explicit(&x, 1, memory_order_release);
    } else {
        (void)atomic_load_explicit(&x, memory_order_acquire);
    }
    return NULL;
}

int main(void) {
    in_parallel(N + 1, work);
    return 0;
}

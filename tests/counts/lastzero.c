// lastzero(N): each writer puts its left neighbour plus one into its place; one thread looks for the last zero.
//
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=12 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=64 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=704 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=10 --equivalence trace --no-symmetry => Safe complete=3328 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=15 --equivalence trace --no-symmetry => Safe complete=147456 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int array[N + 1];

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me == 0) {
        int i = N;
        while (atomic_load_explicit(&array[i], memory_order_acquire) != 0) {
            --i;
        }
    } else {
        atomic_store_explicit(&array[me], atomic_load_explicit(&array[me - 1], memory_order_acquire) + 1, memory_order_release);
    }
    return NULL;
}

int main(void) {
    in_parallel(N + 1, work);
    return 0;
}

// floating_read(N): N writers and a reader that floats among them. The order of the writes does not matter to reads-from (rf): N
// + 1 ways.
//
// check: sc,tso,pso,ra,rc11 -DN=7 --equivalence trace --no-symmetry => Safe complete=40320 blocked=0
// check: sc -DN=7 --equivalence rf --no-symmetry => Safe complete=8 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=7 -DEQUAL --equivalence value => Safe complete=2 blocked=0
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
    if (me == N) {
        (void)atomic_load_explicit(&x, memory_order_relaxed);
    } else {
        atomic_store_explicit(&x, WRITTEN(me), memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    in_parallel(N + 1, work);
    return 0;
}

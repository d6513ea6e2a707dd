// lastwrite(N): N writers; main reads after they have ended, so the last one alone. N! orders, N ways to read from.
//
// check: sc,tso,pso,ra,rc11 -DN=7 --equivalence trace --no-symmetry => Safe complete=5040 blocked=0
// check: sc -DN=7 --equivalence rf --no-symmetry => Safe complete=7 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* work(void* argument) {
    atomic_store_explicit(&x, index_of(argument) + 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    assert(atomic_load_explicit(&x, memory_order_relaxed) != 0);
    return 0;
}

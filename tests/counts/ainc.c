// ainc(N): N threads increment one counter; N! orders.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=6 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=120 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=40320 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=10 --equivalence trace --no-symmetry => Safe complete=3628800 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* work(void* argument) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    in_parallel(N, work);
#ifndef NO_JOIN
    assert(atomic_load(&x) == N);
#endif
    return 0;
}

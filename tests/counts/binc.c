// binc(N): N threads increment x, then y. All increments of x may come first, so every order of the one goes with every order of
// the other: (N!)^2.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=4 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=36 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=4 --equivalence trace --no-symmetry => Safe complete=576 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=14400 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;

static void* work(void* argument) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    in_parallel(N, work);
#ifndef NO_JOIN
    assert(atomic_load(&x) == N && atomic_load(&y) == N);
#endif
    return 0;
}

// point(N): the program of section 5 of the MCR paper (Huang and Huang, OOPSLA 2016): a point is announced by z before, on PSO, its coordinates have
// arrived. The paper explores 2 executions under SC and TSO and 10 under PSO for N = 1. With COUNT nothing fails.
//
// check: sc,tso -DCOUNT --equivalence value => Safe complete=2 blocked=0
// check: pso -DCOUNT --equivalence value => Safe complete=10 blocked=0
// check: sc,tso --equivalence value => Safe
// check: pso --equivalence value => Violation assertion
// check: sc,tso -DN=2 -DCOUNT --equivalence value => Safe complete=16 blocked=0
// check: pso -DN=2 -DCOUNT --equivalence value => Safe complete=68 blocked=0
// check: sc,tso -DN=3 -DCOUNT --equivalence value => Safe complete=98 blocked=0
// check: pso -DN=3 -DCOUNT --equivalence value => Safe complete=400 blocked=0
// check: sc,tso -DN=4 -DCOUNT --equivalence value => Safe complete=544 blocked=0
// check: pso -DN=4 -DCOUNT --equivalence value => Safe complete=2192 blocked=0
// check: sc,tso,pso -DN=2 --equivalence value => Violation assertion
// check: sc,tso,pso -DN=2 --equivalence trace => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

static atomic_int x = 1, y = 2, z;

#define SET(location, value) atomic_store_explicit(&(location), value, memory_order_relaxed)
#define GET(location) atomic_load_explicit(&(location), memory_order_relaxed)

static void* work(void* argument) {
    for (int i = 0; i < N; ++i) {
        if (index_of(argument) == 0) {
            SET(z, 0);
            SET(x, 0);
            SET(y, 0);
            SET(x, 2);
            SET(y, 3);
            SET(z, 1);
        } else if (GET(z) == 1 && GET(x) + 1 != GET(y)) {
#ifndef COUNT
            assert(0);
#endif
        }
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

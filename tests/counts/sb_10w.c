// SB+10W (the POWER paper's Fig. 11): Dekker's test around a critical section of ten equal stores. Fenced (FENCES) at most one
// thread enters: three executions. Without, both may, and their stores interleave: C(20, 10) + 3.
//
// check: sc,tso,pso,rc11,power,armv8 -DFENCES --equivalence trace --no-symmetry => Safe complete=3 blocked=0
// check: sc --equivalence trace --no-symmetry => Safe complete=3 blocked=0
// check: tso,pso,ra,rc11,power,armv8 --equivalence trace --no-symmetry => Safe complete=184759 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifdef FENCES
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE ((void)0)
#endif

static atomic_int flags[2];
static atomic_int z;

static void* work(void* argument) {
    const int me = index_of(argument);
    atomic_store_explicit(&flags[me], 1, memory_order_relaxed);
    FENCE;
    if (atomic_load_explicit(&flags[1 - me], memory_order_relaxed) == 0) {
        for (int i = 0; i < 10; ++i) {
            atomic_store_explicit(&z, 1, memory_order_relaxed);
        }
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

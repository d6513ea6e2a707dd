// mixed_seq_cst(N): N threads write two locations relaxed, and write and read others seq_cst, so that relaxed accesses race beside seq_cst ones. Under rc11 with
// --equivalence rf a coherence is then looked for that psc allows (model/psc_coherence.hpp).
//
// -DFENCES: seq_cst fences between relaxed accesses. -DUPDATES: seq_cst updates. -DONE: both locations are accessed in both ways.
//
// check: rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=9576 blocked=0
// check: rc11 -DN=3 --equivalence rf --no-symmetry => Safe complete=1792 blocked=0
// check: rc11 -DN=3 -DFENCES --equivalence trace --no-symmetry => Safe complete=12816 blocked=0
// check: rc11 -DN=3 -DFENCES --equivalence rf --no-symmetry => Safe complete=2144 blocked=0
// check: rc11 -DN=3 -DUPDATES --equivalence trace --no-symmetry => Safe complete=6696 blocked=0
// check: rc11 -DN=3 -DUPDATES --equivalence rf --no-symmetry => Safe complete=2048 blocked=0
// check: rc11 -DN=3 -DONE --equivalence trace --no-symmetry => Safe complete=21600 blocked=0
// check: rc11 -DN=3 -DONE --equivalence rf --no-symmetry => Safe complete=4992 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;
static atomic_int y;
static atomic_int a;
static atomic_int b;

static void put(atomic_int* where, int value, memory_order order) { atomic_store_explicit(where, value, order); }
static int take(atomic_int* where, memory_order order) { return atomic_load_explicit(where, order); }

static void* work(void* argument) {
    const int i = index_of(argument);
    atomic_int* const first = i % 2 == 0 ? &a : &b;
    atomic_int* const second = i % 2 == 0 ? &b : &a;
    put(&x, i + 1, memory_order_relaxed);
#if defined(FENCES)
    put(first, i + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    take(second, memory_order_relaxed);
#elif defined(UPDATES)
    atomic_fetch_add_explicit(first, 1, memory_order_seq_cst);
    take(second, memory_order_seq_cst);
#else
    put(first, i + 1, memory_order_seq_cst);
    take(second, memory_order_seq_cst);
#endif
#if defined(ONE)
    take(&x, memory_order_seq_cst);
    put(&y, i + 1, memory_order_seq_cst);
#else
    put(&y, i + 1, memory_order_relaxed);
#endif
    take(&x, memory_order_relaxed);
    take(&y, memory_order_relaxed);
    return argument;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

// mixed_shapes(N): as mixed_seq_cst, N threads with relaxed and seq_cst accesses to the same locations, in other shapes; where docs/performance.md says what equivalence rf costs.
//
// check: rc11 -DN=3 -DRELAXED_FIRST --equivalence trace --no-symmetry => Safe complete=9576 blocked=0
// check: rc11 -DN=3 -DRELAXED_FIRST --equivalence rf --no-symmetry => Safe complete=1792 blocked=0
// check: rc11 -DN=3 -DBOTH --equivalence trace --no-symmetry => Safe complete=1368 blocked=0
// check: rc11 -DN=3 -DBOTH --equivalence rf --no-symmetry => Safe complete=691 blocked=0
// check: rc11 -DN=3 -DCROSSING --equivalence trace --no-symmetry => Safe complete=1296 blocked=0
// check: rc11 -DN=3 -DCROSSING --equivalence rf --no-symmetry => Safe complete=256 blocked=0
// check: rc11 -DN=3 -DONE_FENCE --equivalence trace --no-symmetry => Safe complete=9576 blocked=0
// check: rc11 -DN=3 -DONE_FENCE --equivalence rf --no-symmetry => Safe complete=1792 blocked=0
// check: rc11 -DN=3 -DANNOUNCED --equivalence trace --no-symmetry => Safe complete=33144 blocked=0
// check: rc11 -DN=3 -DANNOUNCED --equivalence rf --no-symmetry => Safe complete=4167 blocked=0
// check: rc11 -DN=3 -DONE_LOCATION --equivalence trace --no-symmetry => Safe complete=7134 blocked=0
// check: rc11 -DN=3 -DONE_LOCATION --equivalence rf --no-symmetry => Safe complete=1318 blocked=0
// check: rc11 -DN=3 -DCOUNTED --equivalence trace --no-symmetry => Safe complete=31104 blocked=0
// check: rc11 -DN=3 -DCOUNTED --equivalence rf --no-symmetry => Safe complete=6912 blocked=0
// check: rc11 -DN=3 -DREAD_TWICE --equivalence trace --no-symmetry => Safe complete=3888 blocked=0
// check: rc11 -DN=3 -DREAD_TWICE --equivalence rf --no-symmetry => Safe complete=1072 blocked=0
// check: rc11 -DN=3 -DRELEASED --equivalence trace --no-symmetry => Safe complete=17668 blocked=0
// check: rc11 -DN=3 -DRELEASED --equivalence rf --no-symmetry => Safe complete=3944 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

#define SEQ_CST memory_order_seq_cst
#define RELAXED memory_order_relaxed

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
    (void)first;
    (void)second;
#if defined(RELAXED_FIRST)
    put(&x, i + 1, i % 2 == 1 ? SEQ_CST : RELAXED);
    put(first, i + 1, SEQ_CST);
    take(second, SEQ_CST);
    put(&y, i + 1, SEQ_CST);
    take(&x, RELAXED);
    take(&y, RELAXED);
#elif defined(BOTH)
    put(&x, i + 1, SEQ_CST);
    take(&y, RELAXED);
    put(&y, i + 1, SEQ_CST);
    take(&x, SEQ_CST);
    take(&x, RELAXED);
#elif defined(CROSSING)
    put(i % 2 == 1 ? &x : &y, i + 1, SEQ_CST);
    put(i % 2 == 1 ? &y : &x, i + 1, RELAXED);
    take(&x, SEQ_CST);
    take(&y, RELAXED);
#elif defined(ONE_FENCE)
    put(&x, i + 1, RELAXED);
    put(first, i + 1, SEQ_CST);
    if (i == 0) {
        atomic_thread_fence(SEQ_CST);
    }
    take(second, SEQ_CST);
    put(&y, i + 1, SEQ_CST);
    take(&x, RELAXED);
    take(&y, RELAXED);
#elif defined(ANNOUNCED)
    put(first, 1, SEQ_CST);
    take(second, RELAXED);
    put(&x, i + 1, SEQ_CST);
    take(&x, SEQ_CST);
    take(second, SEQ_CST);
    put(first, 0, RELAXED);
#elif defined(ONE_LOCATION)
    put(&x, i + 1, SEQ_CST);
    take(&x, RELAXED);
    put(&x, i + 10, RELAXED);
    take(&x, SEQ_CST);
#elif defined(COUNTED)
    atomic_fetch_add_explicit(&x, 1, SEQ_CST);
    take(&y, RELAXED);
    put(&y, i + 1, SEQ_CST);
    take(&x, RELAXED);
    put(first, i + 1, RELAXED);
    take(second, SEQ_CST);
#elif defined(READ_TWICE)
    put(&x, i + 1, RELAXED);
    put(&y, i + 1, SEQ_CST);
    take(&x, SEQ_CST);
    take(&y, SEQ_CST);
    take(&y, RELAXED);
#elif defined(RELEASED)
    put(&x, i + 1, memory_order_release);
    put(first, i + 1, SEQ_CST);
    take(second, SEQ_CST);
    take(&x, memory_order_acquire);
    put(&y, i + 1, SEQ_CST);
    take(&y, memory_order_acquire);
    take(&x, RELAXED);
#endif
    return argument;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

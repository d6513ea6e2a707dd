// fib_join(N): as fib, but main looks after both have ended.
//
// check: sc -DN=4 --equivalence trace --no-symmetry => Safe complete=1107 blocked=0
// check: sc -DN=5 --equivalence trace --no-symmetry => Safe complete=8953 blocked=0
// check: tso,pso -DN=4 --equivalence trace --no-symmetry => Safe complete=1764 blocked=0
// check: tso,pso -DN=5 --equivalence trace --no-symmetry => Safe complete=19404 blocked=0
// check: power -DN=4 -DRELAXED --equivalence trace --no-symmetry => Safe complete=1764 blocked=0
// long-check: power -DN=5 -DRELAXED --equivalence trace --no-symmetry => Safe complete=19404 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

#ifdef RELAXED
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif

static atomic_int x = 1, y = 1;

/// N times: *to = x + y.
static void add(atomic_int* to) {
    for (int i = 0; i < N; ++i) {
        const int a = atomic_load_explicit(&x, ACQUIRE);
        const int b = atomic_load_explicit(&y, ACQUIRE);
        atomic_store_explicit(to, a + b, RELEASE);
    }
}

static void* add_to_x(void* argument) {
    add(&x);
    return argument;
}

static void* add_to_y(void* argument) {
    add(&y);
    return argument;
}

/// What taking turns, the fastest way to grow, leads to.
static int bound(void) {
    int a = 1, b = 1;
    for (int i = 0; i < N; ++i) {
        a += b;
        b += a;
    }
    return b;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){add_to_x, add_to_y});
    const int most = bound();
    assert(!(atomic_load_explicit(&x, ACQUIRE) > most || atomic_load_explicit(&y, ACQUIRE) > most));
    return 0;
}

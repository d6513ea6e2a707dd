// updates: what may be seen before the write of an atomic update, on processors.
//
// SWAPS: store buffering with seq_cst exchanges and relaxed loads. As loops around a conditional store (POWER, ARMv8 without LSE) the load may be done before
// the store; as single instructions that are both acquire and release (LSE) it may not. DEPENDS: what is computed from what an exchange read is seen
// before what it wrote. On ARMv8 nothing keeps the two in order; Heddle once took the loop around the conditional store to.
//
// check: armv8,power -DSWAPS => Violation assertion
// check: armv8-lse,tso,sc -DSWAPS => Safe
// check: armv8,armv8-lse,power -DDEPENDS => Violation assertion
// check: tso,sc -DDEPENDS => Safe
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static int relaxed(atomic_int* from) { return atomic_load_explicit(from, memory_order_relaxed); }

static void* first(void* argument) {
#ifdef SWAPS
    atomic_exchange(&x, 1);
    a = relaxed(&y);
#else
    const int before = atomic_exchange_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, before + 1, memory_order_relaxed);
#endif
    return argument;
}

static void* second(void* argument) {
#ifdef SWAPS
    atomic_exchange(&y, 1);
#else
    a = !atomic_load_explicit(&y, memory_order_acquire);
#endif
    b = relaxed(&x);
    return argument;
}

int main(void) {
    void* (*const bodies[])(void*) = {first, second};
    run_all(2, bodies);
    assert(a || b);
    return 0;
}

// Left-right: two copies of the data; readers never wait. The writer changes the copy that nobody reads, sends readers there, and waits until those on the old side have left.
//
// RELAXED: everything relaxed that need not release or acquire for the data's sake. What readers announce and what the writer looks at is store buffering. (On processors a reader then sees
// one of the two values all the same.)
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: sc -DRELAXED => Safe
// check: power,armv8 -DRELAXED => Safe
// check: rc11 -DRELAXED => Violation data-race
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#define WAITING memory_order_acquire
#else
#define ORDER memory_order_seq_cst
#define WAITING memory_order_seq_cst
#endif

static atomic_int side;       ///< of the data
static atomic_int indicator;  ///< where readers announce themselves
static atomic_int readers[2]; ///< by indicator
static int data[2];

static void* reader(void* argument) {
    const int mine = atomic_load_explicit(&indicator, ORDER);
    atomic_fetch_add_explicit(&readers[mine], 1, ORDER);
    const int seen = data[atomic_load_explicit(&side, ORDER)];
    assert(seen == 0 || seen == 1);
    atomic_fetch_sub_explicit(&readers[mine], 1, memory_order_release);
    return argument;
}

static void wait_for_readers(int of) {
    while (atomic_load_explicit(&readers[of], WAITING) != 0) {
    }
}

static void* writer(void* argument) {
    data[1] = 1;
    atomic_store_explicit(&side, 1, ORDER);
    const int old = atomic_load_explicit(&indicator, memory_order_relaxed);
    wait_for_readers(1 - old);
    atomic_store_explicit(&indicator, 1 - old, ORDER);
    wait_for_readers(old);
    data[0] = 1;
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){reader, writer});
    return 0;
}

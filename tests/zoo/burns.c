// Burns and Lynch (1980): one bit a thread, the fewest possible; lower indices have priority.
//
// A thread that finds a lower one interested takes its flag back and starts again: a failed round writes, so it is no wait, and
// the rounds are bounded here. With release and acquire (BROKEN) the raised flags may be missed, as in Dekker's.
//
// check: sc,rc11,power --equivalence trace => OutOfBudget
// check: sc --equivalence value => OutOfBudget
// check: sc,tso,pso,rc11,power,armv8 --unroll 3 => SafeWithinBound
// check: ra --unroll 3 => Violation assertion
// check: sc -DBROKEN --unroll 3 => SafeWithinBound
// check: tso,pso,ra -DBROKEN --unroll 3 => Violation assertion
// check: rc11,power -DBROKEN --unroll 3 => Violation assertion,data-race
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

enum { THREADS = 2 };

static atomic_int flags[THREADS];
static int counter;

static int lower_is_interested(int me) {
    for (int j = 0; j < me; ++j) {
        if (atomic_load_explicit(&flags[j], LOAD)) {
            return 1;
        }
    }
    return 0;
}

static void lock(int me) {
    for (;;) {
        atomic_store_explicit(&flags[me], 0, STORE);
        if (lower_is_interested(me)) {
            continue;
        }
        atomic_store_explicit(&flags[me], 1, STORE);
        if (!lower_is_interested(me)) {
            break;
        }
    }
    for (int j = me + 1; j < THREADS; ++j) {
        while (atomic_load_explicit(&flags[j], LOAD)) {
        }
    }
}

static void unlock(int me) { atomic_store_explicit(&flags[me], 0, STORE); }

static void* work(void* argument) {
    const int me = index_of(argument);
    lock(me);
    ++counter;
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(THREADS, work);
    assert(counter == THREADS);
    return 0;
}

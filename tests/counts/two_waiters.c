// two_waiters: two threads wait for one flag; the first then writes what the second has read before it began to wait. That read sees the write or not: two
// executions, whichever thread comes first. (Heddle once found only one of them: tests/unit/dpor_test.cpp, ARevisitOfAReadBeforeAWaitThatCouldGoOn.)
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11,power,armv8 -DREVERSED => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11,power,armv8 -DSEES_NOTHING => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

static atomic_int flag;
static atomic_int data;

static void* waits_and_writes(void* argument) {
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
    }
    atomic_store_explicit(&data, 1, memory_order_release);
    return argument;
}

static void* reads_and_waits(void* argument) {
    const int seen = atomic_load_explicit(&data, memory_order_acquire);
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
    }
#ifdef SEES_NOTHING
    assert(seen == 0);
#endif
    (void)seen;
    return argument;
}

static void* sets_the_flag(void* argument) {
    atomic_store_explicit(&flag, 1, memory_order_release);
    return argument;
}

int main(void) {
#ifdef REVERSED
    run_all(3, (void* (*const[])(void*)){reads_and_waits, waits_and_writes, sets_the_flag});
#else
    run_all(3, (void* (*const[])(void*)){waits_and_writes, reads_and_waits, sets_the_flag});
#endif
    return 0;
}

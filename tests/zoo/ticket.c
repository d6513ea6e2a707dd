// The ticket lock: first come, first served.
//
// Handing over must publish the critical section. With a relaxed hand-over (BROKEN) pso may let the owner's store overtake the
// counter's, and rc11 sees a data race; tso keeps stores in order and ra makes every store a release.
//
// check: sc,tso,pso,ra,rc11 => Safe complete=6
// check: sc,tso,ra -DBROKEN => Safe
// check: pso -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation data-race,assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_uint next_ticket, now_serving;
static int counter;

static unsigned lock(void) {
    const unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine) {
        pause_cpu();
    }
    return mine;
}

static void unlock(unsigned mine) { atomic_store_explicit(&now_serving, mine + 1, RELEASE); }

static void* work(void* argument) {
    const unsigned mine = lock();
    ++counter;
    unlock(mine);
    return argument;
}

int main(void) {
    in_parallel(3, work);
    assert(counter == 3);
    return 0;
}

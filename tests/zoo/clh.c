// The CLH lock (Craig; Landin and Hagersten): a queue in which each waits on its predecessor's node.
//
// BROKEN: the hand-over is relaxed; pso may show it before the critical section's store, rc11 has a race.
// BROKEN_PUBLISH: the exchange of the tail is relaxed; under rc11 the successor may then find its predecessor's node as it was
// before "locked" was set, and walks in. An update is a full fence under tso and pso, and release/acquire under ra.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,ra -DBROKEN => Safe
// check: pso -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation data-race,assertion
// check: sc,tso,pso,ra -DBROKEN_PUBLISH => Safe
// check: rc11,power,armv8 -DBROKEN_PUBLISH => Violation data-race,assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif
#ifdef BROKEN_PUBLISH
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_acq_rel
#endif

enum { THREADS = 3 };

struct node {
    atomic_int locked;
};

static struct node nodes[THREADS + 1]; // the last one is the free lock that the first thread finds
static struct node* _Atomic tail = &nodes[THREADS];
static int counter;

static void lock(struct node* mine) {
    atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
    struct node* before = atomic_exchange_explicit(&tail, mine, PUBLISH);
    while (atomic_load_explicit(&before->locked, memory_order_acquire)) {
        pause_cpu();
    }
}

static void unlock(struct node* mine) { atomic_store_explicit(&mine->locked, 0, HAND_OVER); }

static void* work(void* argument) {
    struct node* mine = &nodes[index_of(argument)];
    lock(mine);
    ++counter;
    unlock(mine);
    return NULL;
}

int main(void) {
    in_parallel(THREADS, work);
    assert(counter == THREADS);
    return 0;
}

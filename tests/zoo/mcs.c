// The MCS lock (Mellor-Crummey and Scott 1991): a queue in which each waits on its own node.
//
// BROKEN: the hand-over is relaxed; pso may show it before the critical section's store, rc11 has a race.
// BROKEN_ORDER: "locked" is set after the predecessor was told about the node. The predecessor may clear it in between; then it
// is set again and nobody will ever clear it. That needs no weak memory.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,ra -DBROKEN => Safe
// check: pso -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation data-race,assertion
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN_ORDER => Violation liveness
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

enum { THREADS = 2 };

struct node {
    struct node* _Atomic next;
    atomic_int locked;
};

static struct node nodes[THREADS];
static struct node* _Atomic tail;
static int counter;

static void lock(struct node* mine) {
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
#ifndef BROKEN_ORDER
    atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
#endif
    struct node* before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, mine, memory_order_release);
#ifdef BROKEN_ORDER
        atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
#endif
        while (atomic_load_explicit(&mine->locked, memory_order_acquire)) {
            pause_cpu();
        }
    }
}

static void unlock(struct node* mine) {
    struct node* next = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (!next) {
        struct node* expected = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release, memory_order_relaxed)) {
            return; // nobody waits
        }
        while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire))) {
            pause_cpu(); // somebody is about to tell us where it waits
        }
    }
    atomic_store_explicit(&next->locked, 0, HAND_OVER);
}

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

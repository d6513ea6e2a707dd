// The queue of Michael and Scott (1996): a list with a dummy node in front, and a tail that may lag behind by one.
//
// BROKEN_ORDER: the node is linked with a relaxed update; under rc11 the taker reads its value unordered with its writing.
// BROKEN_LINK: the node is linked with a store instead of a compare-and-swap; two nodes after the same last one, and one is lost.
//
// check: sc,tso,pso,ra,rc11 => Safe
// check: sc,tso,pso,ra -DBROKEN_ORDER => Safe
// check: rc11 -DBROKEN_ORDER => Violation data-race,assertion
// check: sc,tso,pso,ra,rc11 -DBROKEN_LINK => Violation assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef BROKEN_ORDER
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
    int value;
    struct node* _Atomic next;
};

static struct node nodes[3]; // never freed: no node is ever used twice
static struct node* _Atomic head = &nodes[2];
static struct node* _Atomic tail = &nodes[2];

static bool swing(struct node* _Atomic* pointer, struct node* from, struct node* to, memory_order order) {
    return atomic_compare_exchange_strong_explicit(pointer, &from, to, order, memory_order_relaxed);
}

static void put(struct node* mine, int value) {
    mine->value = value;
    for (;;) {
        struct node* last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node* next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            swing(&tail, last, next, memory_order_release); // help the one that was slow
            continue;
        }
#ifdef BROKEN_LINK
        atomic_store_explicit(&last->next, mine, LINK);
        const bool linked = true;
#else
        const bool linked = swing(&last->next, NULL, mine, LINK);
#endif
        if (linked) {
            swing(&tail, last, mine, memory_order_release);
            return;
        }
    }
}

/// 0 when the queue is empty.
static int take(void) {
    for (;;) {
        struct node* dummy = atomic_load_explicit(&head, memory_order_acquire);
        struct node* last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node* next = atomic_load_explicit(&dummy->next, memory_order_acquire);
        if (!next) {
            return 0;
        }
        if (dummy == last) {
            swing(&tail, last, next, memory_order_release); // the head must not overtake the tail
            continue;
        }
        const int value = next->value;
        if (swing(&head, dummy, next, memory_order_acq_rel)) {
            return value;
        }
    }
}

static int taken;

static void* put_one(void* argument) {
    put(&nodes[0], 1);
    return argument;
}

static void* put_and_take(void* argument) {
    put(&nodes[1], 2);
    taken = take();
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){put_one, put_and_take});
    const int rest = take();
    assert(taken != 0 && taken + rest == 3);
    assert(take() == 0);
    return 0;
}

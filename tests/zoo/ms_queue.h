// The queue of Michael and Scott (1996): a list with a dummy node in front, and a tail that may lag behind by one. Not a program itself: NODES is how
// many values are ever put.
//
// BROKEN_ORDER: the node is linked with a relaxed update. BROKEN_LINK: it is linked with a store instead of a compare-and-swap.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN_ORDER
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
    int value;
    struct node* _Atomic next;
};

static struct node nodes[NODES + 1]; // never freed: no node is ever used twice; the last one is the first dummy
static struct node* _Atomic head = &nodes[NODES];
static struct node* _Atomic tail = &nodes[NODES];

static bool swing(struct node* _Atomic* pointer, struct node* from, struct node* to, memory_order order) {
    return atomic_compare_exchange_strong_explicit(pointer, &from, to, order, memory_order_relaxed);
}

static void put(struct node* mine, int value) {
    mine->value = value;
    for (;;) {
        struct node* last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node* next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (atomic_load_explicit(&tail, memory_order_relaxed) != last) {
            continue; // what was read does not belong together
        }
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
        if (atomic_load_explicit(&head, memory_order_relaxed) != dummy) {
            continue;
        }
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

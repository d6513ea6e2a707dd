// Treiber's stack over a fixed pool of nodes that are used again: the ABA problem, and the counter in the head that solves it.
//
// The stack holds node 0 above node 1. One thread wants to pop: it reads "top is 0, below it is 1" and is delayed. The other pops
// both and pushes 0 back. The first one's compare-and-swap finds 0 on top and succeeds (BROKEN): node 1 is on the stack again
// although it was taken. With a counter beside the index, which every change of the head increases, the swap fails.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { NODES = 2, NONE = 255 };

static atomic_uint below[NODES]; // may be read by a pop that is about to fail, while its new owner writes: atomic
static atomic_uint head;         // index, and above its 8 bits the counter
static atomic_int owners[NODES]; // how many threads hold the node

static unsigned index_in(unsigned word) { return word & 255; }

static unsigned changed(unsigned old, unsigned index) {
#ifdef BROKEN
    (void)old;
    return index;
#else
    return (((old >> 8) + 1) << 8) | index;
#endif
}

static void push(unsigned node) {
    atomic_fetch_sub_explicit(&owners[node], 1, memory_order_relaxed);
    unsigned old = atomic_load_explicit(&head, memory_order_relaxed);
    do {
        atomic_store_explicit(&below[node], index_in(old), memory_order_relaxed);
    } while (
        !atomic_compare_exchange_strong_explicit(&head, &old, changed(old, node), memory_order_release, memory_order_relaxed));
}

static unsigned pop(void) {
    unsigned old = atomic_load_explicit(&head, memory_order_acquire);
    unsigned next;
    do {
        if (index_in(old) == NONE) {
            return NONE;
        }
        next = atomic_load_explicit(&below[index_in(old)], memory_order_relaxed);
    } while (
        !atomic_compare_exchange_strong_explicit(&head, &old, changed(old, next), memory_order_acquire, memory_order_acquire));
    // The node is ours alone now.
    const int others = atomic_fetch_add_explicit(&owners[index_in(old)], 1, memory_order_relaxed);
    assert(others == 0);
    return index_in(old);
}

static void* pop_one(void* argument) {
    pop();
    return argument;
}

static void* pop_two_push_one(void* argument) {
    const unsigned first = pop();
    const unsigned second = pop();
    if (first != NONE && second != NONE) {
        push(first);
        pop();
        pop(); // finds `second` when the other thread was fooled
    }
    return argument;
}

int main(void) {
    atomic_init(&below[0], 1);
    atomic_init(&below[1], NONE);
    atomic_init(&head, 0);
    run_all(2, (void* (*const[])(void*)){pop_one, pop_two_push_one});
    return 0;
}

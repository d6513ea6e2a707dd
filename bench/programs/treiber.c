// treiber(N): Treiber's stack (1986). Each of N threads pushes its node, then pops one. A thread that has pushed always finds the
// stack filled. Nodes are never freed and never used again, so there is no ABA problem (tests/zoo/treiber_aba.c has it).
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 3
#endif

struct node {
    int value;
    struct node* below; // written only before the node is on the stack, so it need not be atomic
};

static struct node nodes[N];
static struct node* _Atomic top;

static bool swing(struct node* from, struct node* to, memory_order order) {
    return atomic_compare_exchange_strong_explicit(&top, &from, to, order, memory_order_relaxed);
}

static void push(struct node* mine, int value) {
    mine->value = value;
    do {
        mine->below = atomic_load_explicit(&top, memory_order_relaxed);
    } while (!swing(mine->below, mine, memory_order_release));
}

/// 0 when the stack is empty.
static int pop(void) {
    for (;;) {
        struct node* first = atomic_load_explicit(&top, memory_order_acquire);
        if (!first) {
            return 0;
        }
        if (swing(first, first->below, memory_order_acquire)) {
            return first->value;
        }
    }
}

static void* work(void* argument) {
    const int me = index_of(argument);
    push(&nodes[me], me + 1);
    const int value = pop();
    assert(value != 0);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

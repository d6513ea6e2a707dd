// Treiber's lock-free stack: push and pop are one compare-and-swap of the top.
//
// Who may free a popped node? Not the one that popped it (BROKEN_FREE): another thread may just have read the top and be about to
// look at what is below it. That is a use after free on any machine. Here popped nodes are kept and freed at the end. And a push
// must publish the node's contents: a relaxed one (BROKEN_ORDER) is a data race under rc11. (Updates order everything under tso
// and pso.)
//
//     ./heddle check examples/treiber_stack.c                       Safe
//     ./heddle check examples/treiber_stack.c -- -DBROKEN_FREE      Violation: use after free
//     ./heddle check examples/treiber_stack.c -- -DBROKEN_ORDER     Violation: a data race
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra -DBROKEN_FREE => Violation use-after-free
// check: rc11,power,armv8 -DBROKEN_FREE => Violation use-after-free,data-race
// check: sc,tso,pso,ra -DBROKEN_ORDER => Safe
// check: rc11,power,armv8 -DBROKEN_ORDER => Violation data-race,assertion,uninitialized-read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN_ORDER
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct node {
    int value;
    struct node* below;
};

static struct node* _Atomic top;

static void push(int value) {
    struct node* node = malloc(sizeof *node);
    node->value = value;
    node->below = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->below, node, PUBLISH, memory_order_relaxed)) {
    }
}

/// The node that was on top, NULL for an empty stack.
static struct node* pop(void) {
    struct node* node = atomic_load_explicit(&top, memory_order_acquire);
    while (node && !atomic_compare_exchange_weak_explicit(&top, &node, node->below, memory_order_acquire, memory_order_acquire)) {
    }
    return node;
}

static void* push_and_pop(void* argument) {
    struct node** popped = argument;
    push(1);
    *popped = pop();
    assert(*popped && (*popped)->value == 1);
#ifdef BROKEN_FREE
    free(*popped);
    *popped = NULL;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct node* popped[2];
    for (int i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, push_and_pop, &popped[i]);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    assert(atomic_load(&top) == NULL);
    for (int i = 0; i < 2; ++i) {
        free(popped[i]);
    }
    return 0;
}

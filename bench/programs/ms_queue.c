// ms_queue(WRITERS, READERS): the queue of Michael and Scott (1996), a list with a dummy node in front and a tail that may lag
// behind by one. Each writer enqueues one value; each reader dequeues one or finds the queue empty. Nodes are never freed and never
// used again.
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

struct node {
    int value;
    struct node* _Atomic next;
};

static struct node nodes[WRITERS + 1];
static struct node* _Atomic head = &nodes[WRITERS];
static struct node* _Atomic tail = &nodes[WRITERS];

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
        } else if (swing(&last->next, NULL, mine, memory_order_release)) {
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

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me < WRITERS) {
        put(&nodes[me], me + 1);
    } else {
        const int value = take();
        assert(0 <= value && value <= WRITERS);
    }
    return NULL;
}

/// As in_parallel of threads.h, but with constant bounds: --unroll, which this program is run with, does not cut such loops.
static void start_and_join(void) {
    pthread_t threads[WRITERS + READERS];
    for (int i = 0; i < WRITERS + READERS; ++i) {
        pthread_create(&threads[i], NULL, work, (void*)(intptr_t)i);
    }
#ifndef NO_JOIN
    for (int i = 0; i < WRITERS + READERS; ++i) {
        pthread_join(threads[i], NULL);
    }
#endif
}

int main(void) {
    start_and_join();
    return 0;
}

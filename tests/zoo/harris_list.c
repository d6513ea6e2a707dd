// Harris's list: a sorted set of which a node is first marked as deleted, in the pointer to its successor, and then unlinked. One thread puts 2 in behind 1, which another deletes.
//
// BROKEN: nodes are unlinked without a mark, and what is put in behind one at that moment is lost.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

struct node {
    int key;
    _Atomic uintptr_t next; ///< the lowest bit: this node is deleted
};

static struct node last = {100, 0};
static struct node one = {1, (uintptr_t)&last};
static struct node two = {2, 0};
static struct node first = {0, (uintptr_t)&one};

static struct node* node_of(uintptr_t word) { return (struct node*)(word & ~(uintptr_t)1); }
static uintptr_t word_of(struct node* node) { return (uintptr_t)node; }

static uintptr_t next_of(struct node* node) { return atomic_load_explicit(&node->next, memory_order_acquire); }

static int swing(struct node* node, uintptr_t from, uintptr_t to) {
    return atomic_compare_exchange_strong_explicit(&node->next, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

struct place {
    struct node* before;
    struct node* at; ///< the first with this key or a larger one
};

static struct place find(int key) {
    for (;;) {
        struct place p = {&first, node_of(next_of(&first))};
        int again = 0;
        while (!again && p.at != &last) {
            const uintptr_t next = next_of(p.at);
            if (next & 1) {
                again = !swing(p.before, word_of(p.at), word_of(node_of(next)));
                p.at = node_of(next);
            } else if (p.at->key >= key) {
                break;
            } else {
                p = (struct place){p.at, node_of(next)};
            }
        }
        if (!again) {
            return p;
        }
    }
}

static void insert(struct node* node) {
    struct place p;
    do {
        p = find(node->key);
        atomic_store_explicit(&node->next, word_of(p.at), memory_order_relaxed);
    } while (!swing(p.before, word_of(p.at), word_of(node)));
}

static void delete(int key) {
    for (;;) {
        const struct place p = find(key);
        const uintptr_t next = next_of(p.at);
#ifdef BROKEN
        if (swing(p.before, word_of(p.at), next)) {
            return;
        }
#else
        if (!(next & 1) && swing(p.at, next, next | 1)) {
            swing(p.before, word_of(p.at), next); // if not, somebody else does it who comes by
            return;
        }
#endif
    }
}

static void* inserter(void* argument) {
    insert(&two);
    return argument;
}

static void* deleter(void* argument) {
    delete (1);
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){inserter, deleter});
    const struct place p = find(2);
    assert(p.before == &first && p.at == &two);
    return 0;
}

// A Treiber stack with a counter against ABA.
// levels: -O0 -O2
// seeds: 1 2 3 4
// cflags: -mcx16 -Wno-atomic-alignment
// expect-output: 12 1 24
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct top {
    struct node *node;
    unsigned long count;
};

static _Atomic struct top top;
static struct node nodes[2][6];
static atomic_int popped[2][6];

static void push(struct node *n) {
    struct top old = atomic_load(&top), fresh;
    do {
        n->next = old.node;
        fresh = (struct top){n, old.count + 1};
    } while (!atomic_compare_exchange_weak(&top, &old, fresh));
}

static struct node *pop(void) {
    struct top old = atomic_load(&top), fresh;
    do {
        if (!old.node) {
            return NULL;
        }
        fresh = (struct top){old.node->next, old.count + 1};
    } while (!atomic_compare_exchange_weak(&top, &old, fresh));
    return old.node;
}

static void *worker(void *p) {
    struct node *mine = p;
    long n = 0;
    for (int i = 0; i < 6; i++) {
        mine[i].value = i;
        push(&mine[i]);
        if (i % 2) {
            struct node *got = pop();
            if (got) {
                n++;
                long k = got - &nodes[0][0];
                atomic_fetch_add(&popped[k / 6][k % 6], 1);
            }
        }
    }
    return (void *)n;
}

int main(void) {
    pthread_t t[2];
    long n = 0;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, worker, nodes[i]);
    }
    for (int i = 0; i < 2; i++) {
        void *r;
        pthread_join(t[i], &r);
        n += (long)r;
    }
    for (struct node *got; (got = pop());) {
        long k = got - &nodes[0][0];
        atomic_fetch_add(&popped[k / 6][k % 6], 1);
        n++;
    }
    int once = 1;
    for (int i = 0; i < 12; i++) {
        once &= popped[i / 6][i % 6] == 1;
    }
    struct top last = atomic_load(&top);
    printf("%ld %d %lu\n", n, once, last.count);
    return 0;
}

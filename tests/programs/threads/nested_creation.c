// Threads that make threads, a tree of them, joined by others than their makers.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 16 16
// expect-output: 42
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int leaves;

static void *tree(void *p) {
    long depth = (long)p;
    if (depth == 0) {
        atomic_fetch_add(&leaves, 1);
        return (void *)1;
    }
    pthread_t a, b;
    void *x, *y;
    pthread_create(&a, NULL, tree, (void *)(depth - 1));
    pthread_create(&b, NULL, tree, (void *)(depth - 1));
    pthread_join(b, &y);
    pthread_join(a, &x);
    return (void *)((long)x + (long)y);
}

static pthread_t grandchild;

static void *leaf(void *p) { return (void *)((long)p * 3); }

static void *child(void *p) {
    pthread_create(&grandchild, NULL, leaf, p);
    return NULL;
}

int main(void) {
    printf("%ld", (long)tree((void *)4));
    printf(" %d\n", leaves);
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, child, (void *)14);
    pthread_join(t, NULL);
    pthread_join(grandchild, &r);
    printf("%ld\n", (long)r);
    return 0;
}

// A counter in the upper 16 bits of a pointer, a mark in the lowest bit, a list linked by exclusive or.
// levels: -O0 -O1 -O2
// expect-output: 16 6
// expect-output: 9 4 1 0 10
// expect-output: 6 1
// expect-output: 15 14 13 12 11 10 .
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    uintptr_t link;
};

static _Atomic uintptr_t top;

static uintptr_t pack(struct node *n, unsigned count) { return (uintptr_t)n | (uintptr_t)count << 48; }
static struct node *pointer_of(uintptr_t word) { return (struct node *)(word & (((uintptr_t)1 << 48) - 1)); }
static unsigned count_of(uintptr_t word) { return (unsigned)(word >> 48); }

static void push(struct node *n) {
    uintptr_t old = atomic_load(&top);
    do {
        n->link = (uintptr_t)pointer_of(old);
    } while (!atomic_compare_exchange_weak(&top, &old, pack(n, count_of(old) + 1)));
}

static struct node *pop(void) {
    uintptr_t old = atomic_load(&top);
    do {
        if (!pointer_of(old)) {
            return NULL;
        }
    } while (!atomic_compare_exchange_weak(&top, &old, pack((struct node *)pointer_of(old)->link, count_of(old) + 1)));
    return pointer_of(old);
}

int main(void) {
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i * i;
        push(n);
    }
    struct node *n = pop();
    printf("%d %u\n", n->value, count_of(top));
    free(n);
    while ((n = pop())) {
        printf("%d ", n->value);
        free(n);
    }
    printf("%u\n", count_of(top));

    int x = 5;
    uintptr_t marked = (uintptr_t)&x | 1;
    *(int *)(marked & ~(uintptr_t)1) += marked & 1;
    printf("%d %d\n", x, (int)(marked & 3));

    struct node chain[6];
    for (int i = 0; i < 6; i++) {
        chain[i].value = i + 10;
        chain[i].link = (i ? (uintptr_t)&chain[i - 1] : 0) ^ (i < 5 ? (uintptr_t)&chain[i + 1] : 0);
    }
    uintptr_t before = 0;
    for (struct node *at = &chain[5]; at;) {
        printf("%d ", at->value);
        struct node *next = (struct node *)(at->link ^ before);
        before = (uintptr_t)at;
        at = next;
    }
    printf(".\n");
    return 0;
}

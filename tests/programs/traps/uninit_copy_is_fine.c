// Copying what was never written is no error: padding, partly filled structs and arrays, a value that is only handed on.
// levels: -O0 -O1 -O2
// expect-output: 1 2 3 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char c;
    long l;
    short s;
};

struct part {
    int used;
    int unused[5];
};

static struct part hand_on(struct part p) { return p; }
static int second(int unused, int used) {
    (void)unused;
    return used;
}

int main(void) {
    struct padded a, b;
    a.c = 1;
    a.l = 2;
    a.s = 3;
    b = a;
    struct padded *h = malloc(sizeof *h);
    memcpy(h, &b, sizeof b);
    struct part p;
    p.used = 4;
    struct part q = hand_on(p);
    struct part *r = malloc(sizeof *r);
    *r = hand_on(q);
    int nothing;
    int also = *&nothing;
    r->unused[1] = second(also, 9);
    printf("%d %ld %d %d\n", h->c, h->l, h->s, r->used);
    free(h);
    free(r);
    return 0;
}

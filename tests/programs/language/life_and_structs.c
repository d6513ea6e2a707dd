// Structures that point to structures on the stack, across calls and through out-parameters; returning structs with arrays and pointers.
// levels: -O0 -O1 -O2
// expect-output: ..........
// expect-output: ..........
// expect-output: ..........
// expect-output: ....#.....
// expect-output: .....#....
// expect-output: ...###....
// expect-output: ..........
// expect-output: ..........
// expect-output: ..........
// expect-output: ..........
// expect-output: 118
// expect-output: - 12 0.75
#include <stdio.h>
#include <string.h>

struct cell {
    unsigned char alive[10][10];
};

static struct cell step(const struct cell *c) {
    struct cell next = {{{0}}};
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 10; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx || dy) {
                        n += c->alive[(y + dy + 10) % 10][(x + dx + 10) % 10];
                    }
                }
            }
            next.alive[y][x] = n == 3 || (n == 2 && c->alive[y][x]);
        }
    }
    return next;
}

struct visitor {
    void (*visit)(struct visitor *, int);
    int sum;
    struct visitor *outer;
};

static void add(struct visitor *v, int n) {
    v->sum += n;
    if (v->outer) {
        v->outer->visit(v->outer, n * 2);
    }
}

static void traverse(const int *p, int n, struct visitor *v) {
    struct visitor inner = {add, 0, v};
    for (int i = 0; i < n; i++) {
        inner.visit(&inner, p[i]);
    }
    v->sum += inner.sum;
}

static void split(double v, int *whole, double *part, char (*sign)[2]) {
    (*sign)[0] = v < 0 ? '-' : '+';
    (*sign)[1] = 0;
    v = v < 0 ? -v : v;
    *whole = (int)v;
    *part = v - *whole;
}

int main(void) {
    struct cell c;
    memset(&c, 0, sizeof c);
    c.alive[0][1] = c.alive[1][2] = c.alive[2][0] = c.alive[2][1] = c.alive[2][2] = 1;
    for (int i = 0; i < 12; i++) {
        c = step(&c);
    }
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 10; x++) {
            putchar(c.alive[y][x] ? '#' : '.');
        }
        putchar('\n');
    }
    struct visitor v = {add, 100, NULL};
    traverse((int[]){1, 2, 3}, 3, &v);
    printf("%d\n", v.sum);
    int whole;
    double part;
    char sign[2];
    split(-12.75, &whole, &part, &sign);
    printf("%s %d %g\n", sign, whole, part);
    return 0;
}

// Designated, nested, partial and overriding initialisers, compound literals, flexible array members.
// levels: -O0 -O1 -O2
// expect-output: 1 0 0 30 41 0 0 0 0 0 7 7 7 0 0 0 0 0 0 0 .
// expect-output: dot 1 0 0 0 9 1
// expect-output: line 0 6 7 0 0 4095
// expect-output: 3 2.5
// expect-output: b d 1 1
// expect-output: ab cde
// expect-output: 1 12
// expect-output: 10
// expect-output: 33 3
// expect-output: 5 hello 4
// expect-output: 9 1 0
// expect-output: 16
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int x, y;
};

struct shape {
    const char *name;
    struct point corners[4];
    union {
        int i;
        double d;
    } extra;
    unsigned flags : 4, more : 12;
};

static int sparse[20] = {[3] = 30, 40, [10 ... 12] = 7, [0] = 1, [4] = 41};
static struct shape shapes[] = {
    [1] = {.name = "line", .corners = {[1] = {5, 6}, {7, 8}}, .extra.d = 2.5, .more = 4095},
    [0] = {"dot", {{1, 2}}, {3}, 9, 1},
};
static const char *const names[3][2] = {{"a", "b"}, {[1] = "d"}};
static char matrix[2][3] = {"ab", {'c', 'd', 'e'}};

struct message {
    int length;
    char text[];
};

static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static int sum(const int *v, int n) { return n == 0 ? 0 : v[0] + sum(v + 1, n - 1); }

static int *static_literal = (int[]){1, 2, 3};

int main(void) {
    for (int i = 0; i < 20; i++) {
        printf("%d ", sparse[i]);
    }
    printf(".\n");
    for (int i = 0; i < 2; i++) {
        struct shape *s = &shapes[i];
        printf("%s %d %d %d %d %u %u\n", s->name, s->corners[0].x, s->corners[1].y, s->corners[2].x, s->corners[3].y, s->flags, s->more);
    }
    printf("%d %g\n", shapes[0].extra.i, shapes[1].extra.d);
    printf("%s %s %d %d\n", names[0][1], names[1][1], names[1][0] == NULL, names[2][0] == NULL);
    printf("%s %.3s\n", matrix[0], matrix[1]);
    struct point p = add((struct point){1, 2}, (struct point){.y = 10});
    printf("%d %d\n", p.x, p.y);
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[2]){i};
        fresh[1] += i * 10;
        total += fresh[0] + fresh[1];
    }
    printf("%d %d\n", total, static_literal[2]++ + static_literal[2] * 0);
    struct message *m = malloc(sizeof *m + 6);
    m->length = 5;
    memcpy(m->text, "hello", 6);
    printf("%d %s %zu\n", m->length, m->text, sizeof *m);
    free(m);
    struct shape local = {.corners[2].y = 9};
    printf("%d %d %d\n", local.corners[2].y, local.name == NULL, local.corners[3].x);
    struct point *q = &(struct point){3, 4};
    q->x++;
    printf("%d\n", q->x * q->y);
    return 0;
}

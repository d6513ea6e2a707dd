// Tables, callbacks, functions that return functions, comparison, structs of functions, through void pointers.
// levels: -O0 -O1 -O2
// expect-output: 10 4 21 7 -3 10 -99 1 0
// expect-output: square 9
// expect-output: rectangle 5
// expect-output: fig kiwi pear apple banana .
// expect-output: 42
// expect-output: 3 12 8 42
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int binary(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static binary *const table[] = {add, sub, mul};

static binary *choose(char c) {
    switch (c) {
    case '+': return add;
    case '-': return &sub;
    case '*': return *mul;
    default: return NULL;
    }
}

struct shape {
    const struct operations {
        double (*area)(const struct shape *);
        const char *(*name)(void);
    } *ops;
    double a, b;
};

static double square_area(const struct shape *s) { return s->a * s->a; }
static double rectangle_area(const struct shape *s) { return s->a * s->b; }
static const char *square_name(void) { return "square"; }
static const char *rectangle_name(void) { return "rectangle"; }
static const struct operations square = {square_area, square_name};
static const struct operations rectangle = {.name = rectangle_name, .area = rectangle_area};

static int by_length(const void *a, const void *b) {
    size_t x = strlen(*(const char *const *)a), y = strlen(*(const char *const *)b);
    return x < y ? -1 : x > y ? 1 : strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int apply(int (*f)(int (*)(int, int), int), int v) { return f(add, v); }
static int twice(int (*f)(int, int), int v) { return f(v, v); }

static struct {
    int (*f)(int, int);
    int x, y;
} jobs[] = {{add, 1, 2}, {mul, 3, 4}, {sub, 9, 1}};

int main(void) {
    for (int i = 0; i < 3; i++) {
        printf("%d ", table[i](7, 3));
    }
    for (const char *c = "+-*?"; *c; c++) {
        binary *f = choose(*c);
        printf("%d ", f ? (*f)(2, 5) : -99);
    }
    printf("%d %d\n", choose('+') == add, choose('+') == choose('-'));
    struct shape shapes[] = {{&square, 3, 0}, {&rectangle, 2, 2.5}};
    for (int i = 0; i < 2; i++) {
        printf("%s %g\n", shapes[i].ops->name(), shapes[i].ops->area(&shapes[i]));
    }
    const char *words[] = {"pear", "fig", "banana", "kiwi", "apple"};
    qsort(words, 5, sizeof *words, by_length);
    for (int i = 0; i < 5; i++) {
        printf("%s ", words[i]);
    }
    printf(".\n%d\n", apply(twice, 21));
    for (unsigned i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        printf("%d ", jobs[i].f(jobs[i].x, jobs[i].y));
    }
    void *hidden = (void *)mul;
    printf("%d\n", ((binary *)hidden)(6, 7));
    return 0;
}

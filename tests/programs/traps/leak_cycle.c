// Two objects that only point at each other.
// expect-exit: 1
// expect-error: leak: 8 bytes never freed
// expect-error: leak: 24 bytes never freed
// expect-error:   at leak_cycle.c:10:
// expect-error:   at leak_cycle.c:11:
#include <stdlib.h>

static void make(void) {
    void **a = malloc(8);
    void **b = calloc(3, 8);
    *a = b;
    *b = a;
}

int main(void) {
    make();
    return 0;
}

// A global pointer is overwritten.
// expect-exit: 1
// expect-error: leak: 4 bytes never freed
// expect-error:   at leak_overwritten.c:10:
#include <stdlib.h>

int *global;

static int *fresh(int v) {
    int *p = malloc(sizeof *p);
    *p = v;
    return p;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        global = fresh(i);
    }
    free(global);
    return 0;
}

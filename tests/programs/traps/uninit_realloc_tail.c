// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_realloc_tail.c:10:
#include <stdlib.h>

int main(void) {
    int *a = calloc(2, sizeof *a);
    a = realloc(a, 4 * sizeof *a);
    int r = a[0] == 0 && a[1] == 0 ? 5 : 6;
    if (a[2] == 0) {
        r++;
    }
    free(a);
    return r;
}

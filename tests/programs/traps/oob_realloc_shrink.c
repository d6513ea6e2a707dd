// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of its object
// expect-error:   at oob_realloc_shrink.c:11:
// expect-error: the heap object has 8 bytes; the access is at offset 12
// expect-error: allocated at oob_realloc_shrink.c:10:
#include <stdlib.h>

int main(void) {
    int *a = calloc(4, sizeof *a);
    a = realloc(a, 2 * sizeof *a);
    int v = a[3];
    free(a);
    return v;
}

// So far out that it would be inside another object.
// expect-exit: 1
// expect-error: out-of-bounds: write of 4 bytes
// expect-error:   at oob_far_index.c:11:
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a);
    int *b = malloc(4 * sizeof *b);
    long far = ((char *)b - (char *)a) / (long)sizeof *a;
    a[far] = 1;
    free(a);
    free(b);
    return 0;
}

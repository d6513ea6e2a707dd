// The access starts inside its object and ends outside.
// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of its object
// expect-error:   at oob_partial_read.c:12:
// expect-error: the heap object has 6 bytes; the access is at offset 4
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(6);
    memset(p, 0, 6);
    int v = *(int *)(p + 4);
    free(p);
    return v;
}

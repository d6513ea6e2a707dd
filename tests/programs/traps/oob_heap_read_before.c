// One element before the start.
// expect-exit: 1
// expect-error: out-of-bounds: read of 8 bytes outside the bounds of its object
// expect-error:   at oob_heap_read_before.c:16:
// expect-error: the heap object has 24 bytes; the access is at offset -8
// expect-error: allocated at oob_heap_read_before.c:12:
// expect-error: in make
// expect-error: called from oob_heap_read_before.c:21:
#include <stdlib.h>

static long *make(void) {
    return calloc(3, sizeof(long));
}

static long previous(const long *p) {
    return p[-1];
}

int main(void) {
    long *a = make();
    long v = previous(a);
    free(a);
    return (int)v;
}

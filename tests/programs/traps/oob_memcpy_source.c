// expect-exit: 1
// expect-error: out-of-bounds: read of 17 bytes outside the bounds of its object
// expect-error:   at oob_memcpy_source.c:13:
// expect-error: the heap object has 16 bytes; the access is at offset 0
// expect-error: allocated at oob_memcpy_source.c:10:
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *from = calloc(1, 16);
    char to[32];
    volatile size_t n = 17;
    memcpy(to, from, n);
    free(from);
    return to[0];
}

// expect-exit: 1
// expect-error: out-of-bounds: write of
// expect-error:   at oob_memset_length.c:11:
// expect-error: the heap object has 16 bytes
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(16);
    volatile size_t n = 100;
    memset(p, 0, n);
    free(p);
    return 0;
}

// expect-exit: 1
// expect-error: misaligned-atomic: atomic write of 4 bytes at an address that is not a multiple of 4
// expect-error:   at misaligned_atomic.c:9:
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    char *p = calloc(1, 16);
    atomic_fetch_add((atomic_int *)(p + 2), 1);
    free(p);
    return 0;
}

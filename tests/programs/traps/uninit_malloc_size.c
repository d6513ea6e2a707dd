// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error:   at uninit_malloc_size.c:9:
#include <stdlib.h>

int main(void) {
    size_t n;
    size_t *p = &n;
    free(malloc(*p & 255));
    return 0;
}

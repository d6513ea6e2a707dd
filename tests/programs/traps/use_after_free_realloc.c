// The old pointer after realloc, also when the block grew.
// expect-exit: 1
// expect-error: use-after-free: read of 4 bytes of memory that was freed
// expect-error:   at use_after_free_realloc.c:12:
// expect-error: allocated at use_after_free_realloc.c:10:
// expect-error: freed at use_after_free_realloc.c:11:
#include <stdlib.h>

int main(void) {
    int *a = calloc(2, sizeof *a);
    int *b = realloc(a, 100);
    int v = a[0];
    free(b);
    return v;
}

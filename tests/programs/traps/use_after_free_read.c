// expect-exit: 1
// expect-error: use-after-free: read of 4 bytes of memory that was freed (thread 0, main)
// expect-error:   at use_after_free_read.c:18:
// expect-error: the heap object has 4 bytes; the access is at offset 0
// expect-error: allocated at use_after_free_read.c:15:
// expect-error: freed at use_after_free_read.c:11:
// expect-error: in drop
#include <stdlib.h>

static void drop(int *p) {
    free(p);
}

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 4;
    drop(p);
    return *p;
}

// One element past the end of a heap array.
// expect-exit: 1
// expect-output: before
// expect-error: out-of-bounds: write of 4 bytes outside the bounds of its object (thread 0, main)
// expect-error:   at oob_heap_write_past.c:16:
// expect-error: in main
// expect-error: the heap object has 40 bytes; the access is at offset 40
// expect-error: allocated at oob_heap_write_past.c:13:
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(10 * sizeof *a);
    puts("before");
    for (int i = 0; i <= 10; i++) {
        a[i] = i;
    }
    puts("after");
    free(a);
    return 0;
}

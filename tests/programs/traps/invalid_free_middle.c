// expect-exit: 1
// expect-error: invalid-free: free of a pointer into the middle of an object
// expect-error:   at invalid_free_middle.c:10:
// expect-error: the heap object has 10 bytes; the access is at offset 4
// expect-error: allocated at invalid_free_middle.c:9:
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p + 4);
    return 0;
}

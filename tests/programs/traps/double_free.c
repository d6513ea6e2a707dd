// expect-exit: 1
// expect-error: double-free: free of memory that was freed before (thread 0, main)
// expect-error:   at double_free.c:11:
// expect-error: allocated at double_free.c:9:
// expect-error: freed at double_free.c:10:
#include <stdlib.h>

int main(void) {
    char *p = malloc(3);
    free(p);
    free(p);
    return 0;
}

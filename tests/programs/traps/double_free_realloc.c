// expect-exit: 1
// expect-error: double-free: free of memory that was freed before
// expect-error:   at double_free_realloc.c:9:
#include <stdlib.h>

int main(void) {
    char *p = malloc(3);
    free(p);
    p = realloc(p, 10);
    free(p);
    return 0;
}

// expect-exit: 4
// expect-error: out-of-budget: an allocation of 4294967296 bytes
// expect-error:   at budget_malloc.c:7:
#include <stdlib.h>

int main(void) {
    char *p = malloc(4ul << 30);
    p[0] = 1;
    free(p);
    return 0;
}

// expect-exit: 1
// expect-error: use-after-free: read of
// expect-error:   at use_after_free_memcpy.c:11:
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = calloc(1, 8);
    char q[8];
    free(p);
    memcpy(q, p, sizeof q);
    return q[0];
}

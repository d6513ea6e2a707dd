// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_malloc.c:14:
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a);
    a[0] = a[1] = a[2] = 1;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += a[i];
    }
    free(a);
    if (sum > 3) {
        return 2;
    }
    return 3;
}

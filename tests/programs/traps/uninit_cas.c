// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error:   at uninit_cas.c:10:
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    atomic_int *p = malloc(sizeof *p);
    int expected = 0;
    int r = atomic_compare_exchange_strong(p, &expected, 1);
    free((void *)p);
    return r ? 4 : 5;
}

// expect-exit: 1
// expect-error: null-dereference: write of 4 bytes through a null pointer
// expect-error:   at null_atomic.c:9:
#include <stdatomic.h>
#include <stddef.h>

int main(void) {
    atomic_int *volatile p = NULL;
    return atomic_fetch_add(p, 1);
}

// An atomic object that is too large for one access.
// expect-exit: 5
// expect-error: unsupported: an atomic access of an object that is not 1, 2, 4, 8 or 16 bytes large
// expect-error:   at unsupported_atomic.c:14:
#include <stdatomic.h>

struct large {
    long v[5];
};

static _Atomic struct large l;

int main(void) {
    struct large x = atomic_load(&l);
    return (int)x.v[0];
}

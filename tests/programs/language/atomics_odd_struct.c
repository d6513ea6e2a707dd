// An atomic struct of three bytes takes the generic library calls.
// levels: -O0 -O2
// cflags: -Wno-atomic-alignment
// expect-output: 1 2 3
// expect-output: 4 5 6
// expect-output: 1 5
// expect-output: 1
// expect-output: 30
#include <stdatomic.h>
#include <stdio.h>

struct odd {
    char v[3];
};
struct large {
    long v[5];
};

static _Atomic struct odd o;
static _Atomic struct large l;

int main(void) {
    atomic_store(&o, ((struct odd){{1, 2, 3}}));
    struct odd x = atomic_exchange(&o, ((struct odd){{4, 5, 6}}));
    printf("%d %d %d\n", x.v[0], x.v[1], x.v[2]);
    x = atomic_load(&o);
    printf("%d %d %d\n", x.v[0], x.v[1], x.v[2]);
    atomic_store(&l, ((struct large){{1, 2, 3, 4, 5}}));
    struct large y = atomic_load(&l);
    printf("%ld %ld\n", y.v[0], y.v[4]);
    struct large z = y;
    z.v[2] = 30;
    printf("%d\n", atomic_compare_exchange_strong(&l, &y, z));
    y = atomic_load(&l);
    printf("%ld\n", y.v[2]);
    return 0;
}

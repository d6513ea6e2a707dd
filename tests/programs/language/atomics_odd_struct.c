// An atomic struct of three bytes is kept in four.
// levels: -O0 -O2
// cflags: -Wno-atomic-alignment
// expect-output: 1 2 3
// expect-output: 4 5 6 4
#include <stdatomic.h>
#include <stdio.h>

struct odd {
    char v[3];
};

static _Atomic struct odd o;

int main(void) {
    atomic_store(&o, ((struct odd){{1, 2, 3}}));
    struct odd x = atomic_exchange(&o, ((struct odd){{4, 5, 6}}));
    printf("%d %d %d\n", x.v[0], x.v[1], x.v[2]);
    x = atomic_load(&o);
    printf("%d %d %d %zu\n", x.v[0], x.v[1], x.v[2], sizeof o);
    return 0;
}

// expect-exit: 1
// expect-error: out-of-bounds: write of 4 bytes outside the bounds of its object
// expect-error:   at oob_atomic.c:11:
// expect-error: the global variable 'counters' has 8 bytes; the access is at offset 8
#include <stdatomic.h>

atomic_int counters[2];

int main(void) {
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&counters[i], 1);
    }
    return 0;
}

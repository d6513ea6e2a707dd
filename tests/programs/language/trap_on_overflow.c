// -ftrapv: the program itself checks its additions.
// expect-exit: 1
// cflags: -ftrapv
// levels: -O0 -O2
// expect-error: abort:
// expect-error:   at trap_on_overflow.c:11:
#include <limits.h>

int main(void) {
    volatile int x = INT_MAX;
    x = x + 1;
    return 0;
}

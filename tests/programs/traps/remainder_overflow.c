// expect-exit: 1
// expect-error: division-overflow: signed division overflows
// expect-error:   at remainder_overflow.c:8:
#include <limits.h>

int main(void) {
    volatile long a = LONG_MIN, b = -1;
    return (int)(a % b);
}

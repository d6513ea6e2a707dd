// expect-exit: 1
// expect-error: division-overflow: signed division overflows
// expect-error:   at division_overflow.c:8:
#include <limits.h>

int main(void) {
    volatile int a = INT_MIN, b = -1;
    return a / b;
}

// A failing assertion.
// expect-exit: 1
// expect-error: assertion `x == 1' failed
#include <assert.h>

int main(void) {
    volatile int x = 2;
    assert(x == 1);
    return 0;
}

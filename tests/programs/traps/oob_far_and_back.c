// A pointer that was far outside its object stays marked, also when it is moved back: C does not allow the first step.
// levels: -O0 -O2
// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes through a pointer that was moved far out of its object
// expect-error:   at oob_far_and_back.c:13:
#include <stdio.h>

int main(void) {
    int a[8] = {0, 0, 0, 7};
    volatile long far = 1000000;
    int *p = a + far;
    p = p - far + 3;
    printf("%d\n", *p);
    return 0;
}

// A pointer far outside that comes back before it is used is not reported.
// levels: -O0 -O2
// expect-output: 7
#include <stdio.h>

int main(void) {
    int a[8] = {0, 0, 0, 7};
    volatile long far = 1000000;
    int *p = a + far;
    p = p - far + 3;
    printf("%d\n", *p);
    return 0;
}

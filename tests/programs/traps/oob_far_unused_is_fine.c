// A pointer far outside its object that nobody uses.
// levels: -O0 -O2
// expect-output: 7 1
#include <stdio.h>

int main(void) {
    int a[8] = {0, 0, 0, 7};
    volatile long far = 1000000;
    int *p = a + far;
    printf("%d %d\n", a[3], p != a);
    return 0;
}

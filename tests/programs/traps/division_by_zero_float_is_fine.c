// levels: -O0 -O2
// expect-output: inf -inf
#include <stdio.h>

int main(void) {
    volatile double zero = 0;
    printf("%f %f\n", 1 / zero, -1 / zero);
    return 0;
}

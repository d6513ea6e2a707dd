// Functions without prototypes, and definitions in the old style.
// levels: -O0 -O1 -O2
// cflags: -std=gnu11 -Wno-deprecated-non-prototype -Wno-strict-prototypes
// expect-output: 100 103
// expect-output: 3
// expect-output: 7 34
#include <stdio.h>

int later();

static int old(a, b, c) int a; char b; double c; { return a + b + (int)c; }
static double reals(x, y) float x, y; { return x * y; }
static int nothing() { return 7; }

int main() {
    int (*f)() = old;
    printf("%d %d\n", old(1, 'a', 2.5), f(2, 'b', 3.5));
    printf("%g\n", reals(1.5, 2.0));
    printf("%d %d\n", nothing(), later(3, 4));
    return 0;
}

int later(a, b) int a, b; { return a * 10 + b; }

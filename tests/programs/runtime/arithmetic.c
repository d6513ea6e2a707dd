// stdlib.h's arithmetic, and the scaling functions of math.h.
// expect-output: div -2 -1, -2 1, 2 -1, 33 1
// expect-output: abs 7 7 7 7
// expect-output: frexp 0.8125 3 0.5 -1073
// expect-output: ldexp 52 0 inf 0
// expect-output: modf -0.5 -6
// levels: -O0 -O2
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int seven = 7, minus = -7, three = 3;

int main(void) {
    div_t d = div(minus, three);
    ldiv_t l = ldiv(seven, -three);
    lldiv_t ll = lldiv(minus, -three);
    imaxdiv_t i = imaxdiv(100, three);
    printf("div %d %d, %ld %ld, %lld %lld, %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, i.quot, i.rem);
    printf("abs %d %ld %lld %jd\n", abs(minus), labs(minus), llabs(minus), imaxabs(minus));
    volatile double x = 6.5, tiny = 4.9406564584124654e-324;
    int exponent;
    printf("frexp %g %d", frexp(x, &exponent), exponent);
    printf(" %g", frexp(tiny, &exponent));
    printf(" %d\n", exponent);
    printf("ldexp %g %g %g %g\n", ldexp(x, 3), ldexp(x, -1080) / tiny, ldexp(x, 5000), scalbn(x, -5000));
    double whole;
    printf("modf %g", modf(-x, &whole));
    printf(" %g\n", whole);
    return 0;
}

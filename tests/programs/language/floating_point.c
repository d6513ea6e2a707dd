// levels: -O0 -O1 -O2
// cflags: -ffp-contract=off
// expect-output: 40466666 3f9ae148 3ebbbbbc d01502f9
// expect-output: 4011333333333333 401528f5c28f5c28 3fe8888888888888 d4b249ad2594c37d
// expect-output: 5.7 13.69 1.23333333333333333 -9999999996.3
// expect-output: 40133333 3ff19999a0000000 2.29999999999999982
// expect-output: 406ccccd 400d99999999999a
// expect-output: 1 -2 3
// expect-output: 2300000000 11500000000000000000 -6899999999999998976
// expect-output: -7400000000000000000 14800000000000000000
// expect-output: c0e00000 4f6e6b28 da000000 5f800000
// expect-output: c01c000000000000 41edcd6500000000 c340000000000000 43f0000000000000
// expect-output: -9007199254740993 18446744073709551615 -7
// expect-output: 55 -2300
// expect-output: c002666666666666 4002666666666666
// expect-output: inf 2.22507e-318 2.93874e-39
// expect-output: 100000
// expect-output: 1.6439345666815615 3ffa4d8e550a946e
// expect-output: 42c7ff83
// expect-output: 1.4381386852439219949e+24
// expect-output: 1.5 -1.5
// expect-output: 0x1.2666666666666p+1 0x1.19999ap+0
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

volatile float f = 1.1f;
volatile double d = 2.3;
volatile long double l = 3.7L;
volatile int i = -7;
volatile unsigned u = 4000000000u;
volatile long n = -9007199254740993;
volatile unsigned long ul = 18446744073709551615u;

static unsigned bits(float x) {
    unsigned v;
    memcpy(&v, &x, 4);
    return v;
}

static unsigned long bits64(double x) {
    unsigned long v;
    memcpy(&v, &x, 8);
    return v;
}

int main(void) {
    printf("%x %x %x %x\n", bits(f + 2), bits(f * f), bits(f / 3), bits(f - 1e10f));
    printf("%lx %lx %lx %lx\n", bits64(d + 2), bits64(d * d), bits64(d / 3), bits64(d - 1e100));
    printf("%.18Lg %.18Lg %.18Lg %.18Lg\n", l + 2, l * l, l / 3, l - 1e10L);
    printf("%x %lx %.18Lg\n", bits((float)d), bits64((double)f), (long double)d);
    printf("%x %lx\n", bits((float)l), bits64((double)l));
    printf("%d %d %d\n", (int)f, (int)-d, (int)l);
    printf("%u %lu %ld\n", (unsigned)(d * 1e9), (unsigned long)(d * 5e18), (long)(d * -3e18));
    printf("%ld %lu\n", (long)(l * -2e18L), (unsigned long)(l * 4e18L));
    printf("%x %x %x %x\n", bits((float)i), bits((float)u), bits((float)n), bits((float)ul));
    printf("%lx %lx %lx %lx\n", bits64((double)i), bits64((double)u), bits64((double)n), bits64((double)ul));
    printf("%.20Lg %.20Lg %.20Lg\n", (long double)n, (long double)ul, (long double)i);
    printf("%d %d\n", (char)(f * 50), (short)(d * -1000));
    printf("%lx %lx\n", bits64(-d), bits64(fabs(-d)));
    printf("%g %g %g\n", DBL_MAX * d, DBL_MIN / 1e10, (double)FLT_MIN / 4);
    printf("%x\n", bits(FLT_MIN / 8));
    double sum = 0;
    for (int k = 1; k <= 1000; k++) {
        sum += 1.0 / k / k;
    }
    printf("%.17g %lx\n", sum, bits64(sum));
    float fs = 0;
    for (int k = 0; k < 1000; k++) {
        fs += 0.1f;
    }
    printf("%x\n", bits(fs));
    long double ls = 1;
    for (int k = 1; k < 25; k++) {
        ls = ls * k + 1 / (long double)k;
    }
    printf("%.20Lg\n", ls);
    printf("%g %g\n", fmod(7.5, 2), fmod(-7.5, 2));
    printf("%a %a\n", d, (double)f);
    return 0;
}

// levels: -O0 -O1 -O2
// cflags: -ffp-contract=off
// expect-output: 11 2
// expect-output: 6 -6
// expect-output: -0.2 0.4
// expect-output: 41 38
// expect-output: 6.75 3.5
// expect-output: 0 0
// expect-output: 33
// expect-output: -5 12
// expect-output: 9 -2
#include <complex.h>
#include <stdio.h>

volatile double one = 1, two = 2;

static double _Complex mul(double _Complex a, double _Complex b) { return a * b; }
static float _Complex mulf(float _Complex a, float _Complex b) { return a * b + 1; }
static double _Complex power(double _Complex z, int n) {
    double _Complex r = 1;
    while (n--) {
        r *= z;
    }
    return r;
}

int main(void) {
    double _Complex a = one + two * I, b = 3 - 4 * I;
    double _Complex p = mul(a, b);
    printf("%g %g\n", creal(p), cimag(p));
    p = a + b * 2 - 1;
    printf("%g %g\n", creal(p), cimag(p));
    p = a / b;
    printf("%.12g %.12g\n", creal(p), cimag(p));
    p = conj(power(a, 5));
    printf("%g %g\n", creal(p), cimag(p));
    float _Complex f = mulf(1.5f + 2 * I, 2.5f - I);
    printf("%g %g\n", crealf(f), cimagf(f));
    printf("%d %d\n", a == b, a != conj(conj(a)));
    int n = 0;
    double _Complex z = 0, c = -0.75 + 0.1 * I;
    while (n < 100 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
        z = z * z + c;
        n++;
    }
    printf("%d\n", n);
    int _Complex i = 2 + 3i;
    i = i * i;
    printf("%d %d\n", __real__ i, __imag__ i);
    __real__ a = 9;
    printf("%g %g\n", creal(a), cimag(-a));
    return 0;
}

// levels: -O0 -O1 -O2
// expect-output: 0.5: 0 1 0 1 0 0
// expect-output: 0.5 2 0.5 1
// expect-output: 0.707106781187 0.793700525984 3.04138126515
// expect-output: 1 0 1.25
// expect-output: -1.75: -2 -1 -1 -2 -2 -2
// expect-output: 1.75 -2 -1.75 1
// expect-output: 1.32287565553 -1.20507113209 3.47311099736
// expect-output: -2 -2 -3.25
// expect-output: 2.5: 2 3 2 3 2 2
// expect-output: 2.5 2 1 2.5
// expect-output: 1.58113883008 1.3572088083 3.90512483795
// expect-output: 3 2 5.25
// expect-output: 3.5: 3 4 3 4 4 4
// expect-output: 3.5 2 1 3.5
// expect-output: 1.87082869339 1.51829448594 4.60977222865
// expect-output: 4 4 7.25
// expect-output: -0.5: -1 -0 -0 -1 -0 -0
// expect-output: 0.5 -2 -0.5 1
// expect-output: 0.707106781187 -0.793700525984 3.04138126515
// expect-output: -1 0 -0.75
// expect-output: 1e+10: 1e+10 1e+10 1e+10 1e+10 1e+10 1e+10
// expect-output: 1e+10 2 1 1e+10
// expect-output: 100000 2154.43469003 10000000000
// expect-output: 10000000000 10000000000 2e+10
// expect-output: 100: 100 100 100 100 100 100
// expect-output: 100 2 1 100
// expect-output: 10 4.64158883361 100.04498988
// expect-output: 100 100 200.25
// expect-output: -2 -1 1.32288 1.75
// expect-output: 0.4794255386 1.648721271 4.605170186
// expect-output: 0.08838834765 -0.6107259644
#include <math.h>
#include <stdio.h>

volatile double values[] = {0.5, -1.75, 2.5, 3.5, -0.5, 1e10, 100};

int main(void) {
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%g: %g %g %g %g %g %g\n", v, floor(v), ceil(v), trunc(v), round(v), rint(v), nearbyint(v));
        printf("%g %g %g %g\n", fabs(v), copysign(2, v), fmin(v, 1), fmax(v, 1));
        printf("%.12g %.12g %.12g\n", sqrt(fabs(v)), cbrt(v), hypot(v, 3));
        printf("%ld %ld %g\n", lround(v), lrint(v), fma(v, 2, 0.25));
    }
    float f = (float)values[1];
    printf("%g %g %g %g\n", floorf(f), ceilf(f), sqrtf(-f), fabsf(f));
    printf("%.10g %.10g %.10g\n", sin(values[0]), exp(values[0]), log(values[6]));
    printf("%.10g %.10g\n", pow(values[0], 3.5), atan2(values[1], values[2]));
    return 0;
}

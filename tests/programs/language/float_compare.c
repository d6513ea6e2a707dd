// Comparisons, also with NaN, infinities and signed zeros.
// levels: -O0 -O1 -O2
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 0 1 0
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 0 1 1
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 001101 110001 001101 001101 different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 0 1 0
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 0 1 1
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 0 1 0
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 001101 110001 001101 001101 different
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 001101 110001 001101 001101 different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 1 0 0
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 110001 001101 110001 110001 less not-ge different
// expect-output: 010110 101000 010110 010110 equal
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 0 1 0 1
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 000001 111110 000001 000001 not-ge different
// expect-output: 1 0 0 0
// expect-output: 1 0 0
#include <math.h>
#include <stdio.h>

static void compare(double a, double b) {
    printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%d%d%d%d%d%d ", !(a < b), !(a <= b), !(a > b), !(a >= b), isunordered(a, b), islessgreater(a, b));
    float f = (float)a, g = (float)b;
    printf("%d%d%d%d%d%d ", f < g, f <= g, f > g, f >= g, f == g, f != g);
    long double l = a, m = b;
    printf("%d%d%d%d%d%d ", l < m, l <= m, l > m, l >= m, l == m, l != m);
    if (a < b) {
        printf("less ");
    }
    if (!(a >= b)) {
        printf("not-ge ");
    }
    printf("%s\n", a == b ? "equal" : "different");
}

int main(void) {
    volatile double zero = 0, one = 1;
    double values[] = {0, -zero, one, -one, 1.5, one / zero, -one / zero, zero / zero};
    int n = sizeof values / sizeof *values;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            compare(values[i], values[j]);
        }
        printf("%d %d %d %d\n", isnan(values[i]) != 0, isinf(values[i]) != 0, isfinite(values[i]) != 0,
               isnan(values[i]) ? 0 : signbit(values[i]) != 0);
    }
    printf("%d %d %d\n", values[7] ? 1 : 0, values[1] ? 1 : 0, !values[7]);
    return 0;
}

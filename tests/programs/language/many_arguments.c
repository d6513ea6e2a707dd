// levels: -O0 -O1 -O2
// expect-output: 8921
// expect-output: 2703
#include <stdio.h>

static long weigh(int a, long b, char c, short d, unsigned e, int f, int g, int h, int i, double j, float k, double l, double m, double n,
                  double o, double p, double q, double r, double s, const char *t, _Bool u, long long v, unsigned char w) {
    return a + b * 2 + c * 3 + d * 4 + (long)e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + (long)(j * 10) + (long)(k * 11) + (long)(l * 12) +
           (long)(m * 13) + (long)(n * 14) + (long)(o * 15) + (long)(p * 16) + (long)(q * 17) + (long)(r * 18) + (long)(s * 19) + t[0] * 20 +
           u * 21 + v * 22 + w * 23;
}

int main(void) {
    printf("%ld\n", weigh(-1, 2, -3, 4, 5, 6, -7, 8, 9, 1.5, 2.5f, 3.5, 4.5, 5.5, 6.5, -7.5, 8.5, 9.5, 10.5, "x", 1, -11, 255));
    long (*f)(int, long, char, short, unsigned, int, int, int, int, double, float, double, double, double, double, double, double, double,
              double, const char *, _Bool, long long, unsigned char) = weigh;
    printf("%ld\n", f(1, -2, 3, -4, 5, -6, 7, -8, 9, -1.5, 2.5f, -3.5, 4.5, -5.5, 6.5, 7.5, -8.5, 9.5, -10.5, "y", 0, 11, 0));
    return 0;
}

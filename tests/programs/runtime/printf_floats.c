// printf: floating point is exact.
// expect-output: 0.000000 -0.000000 1.500000 -123456.789000
// expect-output: 0 2 2 1000000000000000 0.2 1.00
// expect-output: 0.000000e+00 1.234568e+04 2e+01 2.e+01 1.000E-10
// expect-output: 100000 1e+06 0.0001 1e-05 1.5 0 1.50000
// expect-output: 1E-20 1.23e+03 1234.5 1e+03
// expect-output: [      3.14] [3.14      ] [0000003.14] [+3.14] [ 3.14] [3.]
// expect-output: 0x1p+0 0x1.999999999999ap-4 -0x1.4p+1 0X1.FEP+7 0x2.00p+0 0x0p+0
// expect-output: inf -INF nan inf   inf| inf   |    inf
// expect-output: 0.10000000000000001 1.7976931348623157e+308
// expect-output: 0.10000000000000000555
// expect-output: 10000000000000000000000.000000
// expect-output: 2.22507e-308 4.94066e-324
// expect-output: 0.333333333333333314829616256247390992939472198486328125000000
// expect-output: 1.100000 1.189731e+4932 3.3621e-4932 0x8p-3
// expect-output: 0.1000000000000000000013553
// expect-output: float: 0.1
// levels: -O0 -O2
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%f %f %f %f\n", 0.0, -0.0, 1.5, -123456.789);
    printf("%.0f %.0f %.0f %.0f %.1f %.2f\n", 0.5, 1.5, 2.5, 1e15, 0.25, 1.005);
    printf("%e %e %.0e %#.0e %.3E\n", 0.0, 12345.678, 15.0, 15.0, 1e-10);
    printf("%g %g %g %g %g %g %#g\n", 100000.0, 1000000.0, 0.0001, 0.00001, 1.5, 0.0, 1.5);
    printf("%G %.3g %.10g %.0g\n", 1e-20, 1234.5, 1234.5, 1234.5);
    printf("[%10.2f] [%-10.2f] [%010.2f] [%+.2f] [% .2f] [%#.0f]\n", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, 3.0);
    printf("%a %a %a %A %.2a %a\n", 1.0, 0.1, -2.5, 255.0, 1.999, 0.0);
    printf("%f %F %e %g %5.1f| %-6f| %06f\n", INFINITY, -INFINITY, NAN, INFINITY, INFINITY, INFINITY, INFINITY);
    printf("%.17g %.17g\n", 0.1, DBL_MAX);
    printf("%.20f\n", 0.1);
    printf("%f\n", 1e22);
    printf("%g %g\n", DBL_MIN, 4.9406564584124654e-324);
    printf("%.60f\n", 1.0 / 3);
    printf("%Lf %Le %Lg %La\n", 1.1L, LDBL_MAX, LDBL_MIN, 1.0L);
    printf("%.25Lf\n", 0.1L);
    printf("%s%g\n", "float: ", (double)0.1f);
    return 0;
}

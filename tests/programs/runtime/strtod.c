// Floating point from text, correctly rounded.
// expect-output: 0: 0x0p+0, 1 used, errno 0
// expect-output: -0.0: -0x0p+0, 4 used, errno 0
// expect-output: 1: 0x1p+0, 1 used, errno 0
// expect-output: 3.14159: 0x1.921f9f01b866ep+1, 7 used, errno 0
// expect-output:   +2.5e3x: 0x1.388p+11, 8 used, errno 0
// expect-output: 1e22: 0x1.0f0cf064dd592p+73, 4 used, errno 0
// expect-output: 1e23: 0x1.52d02c7e14af6p+76, 4 used, errno 0
// expect-output: 9007199254740993: 0x1p+53, 16 used, errno 0
// expect-output: 0.1: 0x1.999999999999ap-4, 3 used, errno 0
// expect-output: 123456789012345678901234567890: 0x1.8ee90ff6c373ep+96, 30 used, errno 0
// expect-output: 2.2250738585072011e-308: 0x0.fffffffffffffp-1022, 23 used, errno 34
// expect-output: 4.9e-324: 0x0.0000000000001p-1022, 8 used, errno 34
// expect-output: 2.4703282292062327e-324: 0x0p+0, 23 used, errno 34
// expect-output: 2.4703282292062328e-324: 0x0.0000000000001p-1022, 23 used, errno 34
// expect-output: 1.7976931348623158e308: 0x1.fffffffffffffp+1023, 22 used, errno 0
// expect-output: 1e400: inf, 5 used, errno 34
// expect-output: -1e400: -inf, 6 used, errno 34
// expect-output: 1e-400: 0x0p+0, 6 used, errno 34
// expect-output: 0x1.8p3: 0x1.8p+3, 7 used, errno 0
// expect-output: 0x.8p-1: 0x1p-2, 7 used, errno 0
// expect-output: 0x1.fffffffffffff8p0: 0x1p+1, 20 used, errno 0
// expect-output: inf: inf, 3 used, errno 0
// expect-output: -Infinity: -inf, 9 used, errno 0
// expect-output: nan: nan, 3 used, errno 0
// expect-output: .5.: 0x1p-1, 2 used, errno 0
// expect-output: 1e: 0x1p+0, 1 used, errno 0
// expect-output: x: 0x0p+0, 0 used, errno 0
// expect-output: 0x1.99999ap-4 0xc.ccccccccccccccdp-7
// expect-output: 0x1.fe185ca57c517p+78
// levels: -O0 -O2
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    printf("%s: %a, %d used, errno %d\n", text, value, (int)(end - text), errno);
}

int main(void) {
    show("0");
    show("-0.0");
    show("1");
    show("3.14159");
    show("  +2.5e3x");
    show("1e22");
    show("1e23");
    show("9007199254740993");
    show("0.1");
    show("123456789012345678901234567890");
    show("2.2250738585072011e-308");
    show("4.9e-324");
    show("2.4703282292062327e-324");
    show("2.4703282292062328e-324");
    show("1.7976931348623158e308");
    show("1e400");
    show("-1e400");
    show("1e-400");
    show("0x1.8p3");
    show("0x.8p-1");
    show("0x1.fffffffffffff8p0");
    show("inf");
    show("-Infinity");
    show("nan");
    show(".5.");
    show("1e");
    show("x");
    printf("%a %La\n", strtof("0.1", NULL), strtold("0.1", NULL));
    printf("%a\n", atof("6.02214076e23"));
    return 0;
}

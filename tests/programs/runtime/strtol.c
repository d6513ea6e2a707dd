// Integers from text.
// expect-output: '42' base 10: 42, 2 used, errno 0; unsigned 42, errno 0
// expect-output: '  -42abc' base 10: -42, 5 used, errno 0; unsigned 18446744073709551574, errno 0
// expect-output: '+7' base 0: 7, 2 used, errno 0; unsigned 7, errno 0
// expect-output: '0x1fz' base 0: 31, 4 used, errno 0; unsigned 31, errno 0
// expect-output: '0x1f' base 16: 31, 4 used, errno 0; unsigned 31, errno 0
// expect-output: '0xg' base 16: 0, 1 used, errno 0; unsigned 0, errno 0
// expect-output: '0755' base 0: 493, 4 used, errno 0; unsigned 493, errno 0
// expect-output: '09' base 0: 0, 1 used, errno 0; unsigned 0, errno 0
// expect-output: 'zz' base 36: 1295, 2 used, errno 0; unsigned 1295, errno 0
// expect-output: '1012' base 2: 5, 3 used, errno 0; unsigned 5, errno 0
// expect-output: '' base 10: 0, 0 used, errno 0; unsigned 0, errno 0
// expect-output: '-' base 10: 0, 0 used, errno 0; unsigned 0, errno 0
// expect-output: '9223372036854775807' base 10: 9223372036854775807, 19 used, errno 0; unsigned 9223372036854775807, errno 0
// expect-output: '9223372036854775808' base 10: 9223372036854775807, 19 used, errno 34; unsigned 9223372036854775808, errno 0
// expect-output: '-9223372036854775808' base 10: -9223372036854775808, 20 used, errno 0; unsigned 9223372036854775808, errno 0
// expect-output: '-9223372036854775809' base 10: -9223372036854775808, 20 used, errno 34; unsigned 9223372036854775807, errno 0
// expect-output: '18446744073709551615' base 10: 9223372036854775807, 20 used, errno 34; unsigned 18446744073709551615, errno 0
// expect-output: '18446744073709551616' base 10: 9223372036854775807, 20 used, errno 34; unsigned 18446744073709551615, errno 34
// expect-output: 12 -3000000000 99
// expect-output: -5 5 63 255
// levels: -O0 -O2
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *text, int base) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    printf("'%s' base %d: %ld, %d used, errno %d;", text, base, value, (int)(end - text), errno);
    errno = 0;
    printf(" unsigned %lu, errno %d\n", strtoul(text, &end, base), errno);
}

int main(void) {
    show("42", 10);
    show("  -42abc", 10);
    show("+7", 0);
    show("0x1fz", 0);
    show("0x1f", 16);
    show("0xg", 16);
    show("0755", 0);
    show("09", 0);
    show("zz", 36);
    show("1012", 2);
    show("", 10);
    show("-", 10);
    show("9223372036854775807", 10);
    show("9223372036854775808", 10);
    show("-9223372036854775808", 10);
    show("-9223372036854775809", 10);
    show("18446744073709551615", 10);
    show("18446744073709551616", 10);
    printf("%d %ld %lld\n", atoi("12x"), atol("-3000000000"), atoll("99"));
    printf("%lld %llu %jd %ju\n", strtoll("-5", NULL, 10), strtoull("5", NULL, 10), strtoimax("77", NULL, 8), strtoumax("ff", NULL, 16));
    return 0;
}

// Signed and unsigned, all widths, all signs.
// levels: -O0 -O1 -O2
// expect-output: -14 2
// expect-output: -14 -2
// expect-output: -1 -1
// expect-output: 15 15
// expect-output: -10922 -2
// expect-output: 257 0
// expect-output: -3 -1
// expect-output: -3 1
// expect-output: 3 -1
// expect-output: -1073741824 0
// expect-output: 2147483644 1
// expect-output: -9223371972 -291172004
// expect-output: -9223372036854775807 0
// expect-output: 1844674407370955161 5
// expect-output: -4 -1 -1 -7
// expect-output: 571428574 1 250000001 3
// expect-output: -1333333333333333339 -19 -465661287
#include <stdint.h>
#include <stdio.h>

#define TRY(type, format, a, b)                                                                                        \
    do {                                                                                                               \
        volatile type x = (type)(a), y = (type)(b);                                                                    \
        printf(format " " format "\n", (type)(x / y), (type)(x % y));                                                  \
    } while (0)

int main(void) {
    TRY(int8_t, "%d", 100, -7);
    TRY(int8_t, "%d", -100, 7);
    TRY(int8_t, "%d", -128, 127);
    TRY(uint8_t, "%d", 255, 16);
    TRY(int16_t, "%d", -32768, 3);
    TRY(uint16_t, "%d", 65535, 255);
    TRY(int, "%d", -7, 2);
    TRY(int, "%d", 7, -2);
    TRY(int, "%d", -7, -2);
    TRY(int, "%d", INT32_MIN, 2);
    TRY(unsigned, "%u", -7, 2);
    TRY(long, "%ld", INT64_MIN, 1000000007);
    TRY(long, "%ld", INT64_MAX, -1);
    TRY(unsigned long, "%lu", -1, 10);
    volatile int n = -17;
    printf("%d %d %d %d\n", n / 4, n % 4, n / 10, n % 10);
    volatile unsigned u = 4000000019u;
    printf("%u %u %u %u\n", u / 7, u % 7, u / 16, u % 16);
    volatile long l = -4000000000000000019;
    printf("%ld %ld %ld\n", l / 3, l % 1000, l / (1L << 33));
    return 0;
}

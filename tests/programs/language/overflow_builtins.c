// levels: -O0 -O1 -O2
// expect-output: 1 -2147483648
// expect-output: 0 2147483646
// expect-output: 1 -2
// expect-output: 1 4294967295
// expect-output: 1 705032704
// expect-output: 1 9223372036854775807
// expect-output: 1 -9223372036854775808
// expect-output: 0 9000000000000000000
// expect-output: 1 -56
// expect-output: 1 64464
// expect-output: 1 255
// expect-output: 0 2
// expect-output: 1 8000000000000000
// expect-output: 0 7fffffffffffffff
// expect-output: 1 0
// expect-output: 0 8000000000000000
// expect-output: 1 1
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

volatile int i = INT_MAX;
volatile unsigned u = 5;
volatile long l = LONG_MIN;
volatile int8_t c = 100;
volatile uint16_t s = 65000;
volatile __int128 w = 1;

int main(void) {
    int r;
    printf("%d", __builtin_add_overflow(i, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_sub_overflow(i, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(i, 2, &r));
    printf(" %d\n", r);
    unsigned v;
    printf("%d", __builtin_sub_overflow(u, 6u, &v));
    printf(" %u\n", v);
    printf("%d", __builtin_mul_overflow(u, 1000000000u, &v));
    printf(" %u\n", v);
    long m;
    printf("%d", __builtin_sub_overflow(l, 1L, &m));
    printf(" %ld\n", m);
    printf("%d", __builtin_mul_overflow(l, -1L, &m));
    printf(" %ld\n", m);
    printf("%d", __builtin_smull_overflow(3000000000L, 3000000000L, &m));
    printf(" %ld\n", m);
    int8_t d;
    printf("%d", __builtin_add_overflow(c, c, &d));
    printf(" %d\n", d);
    uint16_t t;
    printf("%d", __builtin_add_overflow(s, s, &t));
    printf(" %d\n", t);
    uint8_t mixed;
    printf("%d", __builtin_add_overflow(i, l, &mixed));
    printf(" %d\n", mixed);
    printf("%d", __builtin_sub_overflow(5, 3u, &mixed));
    printf(" %d\n", mixed);
    __int128 x;
    w <<= 126;
    printf("%d", __builtin_add_overflow(w, w, &x));
    printf(" %llx\n", (unsigned long long)(x >> 64));
    printf("%d", __builtin_add_overflow(w, w - 1, &x));
    printf(" %llx\n", (unsigned long long)(x >> 64));
    unsigned __int128 y;
    printf("%d", __builtin_mul_overflow((unsigned __int128)w, (unsigned __int128)4, &y));
    printf(" %llx\n", (unsigned long long)(y >> 64));
    printf("%d", __builtin_mul_overflow(w, (__int128)-2, &x));
    printf(" %llx\n", (unsigned long long)(x >> 64));
    unsigned carry;
    unsigned sum = __builtin_addc(UINT_MAX, 1u, 1u, &carry);
    printf("%u %u\n", sum, carry);
    return 0;
}

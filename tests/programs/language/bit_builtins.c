// levels: -O0 -O1 -O2
// expect-output: 13 4 17
// expect-output: 8 20 0 40
// expect-output: 1fff000 f0000 3412
// expect-output: 1 1 41
// expect-output: 0 28
// expect-output: b4 2c48 80ff0f00 f00000
// expect-output: 5 5
// expect-output: -5 3
// expect-output: b5be76b0
// expect-output: 1 1
#include <stdint.h>
#include <stdio.h>

volatile unsigned a = 0x00f0ff01;
volatile unsigned long b = 0x00000f0000000000;
volatile uint16_t s = 0x1234;
volatile uint8_t c = 0x2d;
volatile int n = -5;

static int count(unsigned long v) {
    int k = 0;
    for (; v; v &= v - 1) {
        k++;
    }
    return k;
}

int main(void) {
    printf("%d %d %d\n", __builtin_popcount(a), __builtin_popcountl(b), count(a ^ b));
    printf("%d %d %d %d\n", __builtin_clz(a), __builtin_clzl(b), __builtin_ctz(a), __builtin_ctzl(b));
    printf("%x %lx %x\n", __builtin_bswap32(a), __builtin_bswap64(b), __builtin_bswap16(s));
    printf("%d %d %d\n", __builtin_parity(a), __builtin_ffs((int)a), __builtin_ffsl((long)b));
    printf("%d %d\n", __builtin_ffs(0), __builtin_clrsb(n));
    printf("%x %x %x %lx\n", __builtin_bitreverse8(c), __builtin_bitreverse16(s), __builtin_bitreverse32(a), __builtin_bitreverse64(b));
    printf("%d %ld\n", __builtin_abs(n), __builtin_labs(n));
    printf("%d %d\n", n < 3 ? n : 3, n > 3 ? n : 3);
    unsigned r = a;
    for (int i = 0; i < 5; i++) {
        r = (r << 7) | (r >> 25);
        r = __builtin_bswap32(r) ^ (r * 2654435761u);
    }
    printf("%x\n", r);
    printf("%d %d\n", __builtin_constant_p(3), __builtin_expect(n < 0, 1));
    return 0;
}

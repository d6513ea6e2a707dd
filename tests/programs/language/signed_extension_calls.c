// Small integers through calls, returns, varargs and pointers keep their sign.
// levels: -O0 -O1 -O2
// expect-output: -5 -128 -7 0
// expect-output: -32768 1
// expect-output: 1 0 1
// expect-output: -1 65535
// expect-output: -200
// expect-output: 2
// expect-output: -4 252
// expect-output: 0
#include <stdint.h>
#include <stdio.h>

static int8_t neg8(int8_t v) { return (int8_t)-v; }
static uint8_t inc8(uint8_t v) { return (uint8_t)(v + 1); }
static int16_t neg16(int16_t v) { return (int16_t)-v; }
static _Bool not(_Bool b) { return !b; }
static char low(long v) { return (char)v; }
static unsigned short cut(int v) { return (unsigned short)v; }

int main(void) {
    int8_t (*f)(int8_t) = neg8;
    printf("%d %d %d %d\n", neg8(5), f(-128), neg8(neg8(-7)), inc8(255));
    printf("%d %d\n", neg16(-32768), neg16(1) < 0);
    printf("%d %d %d\n", not(0), not(1), not(not(5)));
    printf("%d %u\n", low(0x1ff), cut(-1));
    int8_t a[3] = {-1, 2, -3};
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += a[i] * 100;
    }
    printf("%d\n", sum);
    long index = a[0];
    printf("%d\n", (a + 2)[index]);
    uint8_t shift = 3;
    printf("%d %d\n", ~shift, (uint8_t)~shift);
    printf("%d\n", (signed char)200 == 200);
    return 0;
}

// _BitInt of small and odd widths.
// levels: -O0 -O1 -O2
// cflags: -std=c2x
// expect-output: 2
// expect-output: -1338
// expect-output: 1
// expect-output: 34359738368
// expect-output: -67108865 -1000
// expect-output: 1 1
// expect-output: 0 -1 4
// expect-output: 86
#include <stdio.h>

typedef unsigned _BitInt(7) u7;
typedef _BitInt(13) i13;
typedef unsigned _BitInt(37) u37;
typedef _BitInt(64) i64;
typedef _BitInt(100) i100;

volatile u7 a = 120;
volatile i13 b = -4000;
volatile u37 c = 0x1fffffffff;
volatile i100 d = -1;

struct holder {
    u7 x;
    i13 y;
};

int main(void) {
    a = (u7)(a + (u7)10);
    printf("%d\n", (int)a);
    b = (i13)(b / 3 - 5);
    printf("%d\n", (int)b);
    c = (u37)(c + 2);
    printf("%lld\n", (long long)c);
    c = (u37)(c << 35);
    printf("%lld\n", (long long)c);
    d = d * 1000 - ((i100)1 << 90);
    printf("%lld %lld\n", (long long)(d >> 64), (long long)d);
    printf("%d %d\n", d < 0, (i64)5 > (i64)-5);
    struct holder h = {(u7)127, (i13)-1};
    h.x++;
    printf("%d %d %zu\n", (int)h.x, (int)h.y, sizeof(struct holder));
    u7 sum = 0;
    for (u7 i = 0; i < 100; i++) {
        sum += i;
    }
    printf("%d\n", (int)sum);
    return 0;
}

// Signed, unsigned, bool, packed, straddling, of zero width, in unions, in arrays.
// levels: -O0 -O1 -O2
// expect-output: 3 31 -8388608 1 ffffffffff -4194304 3 -256 24
// expect-output: -2 1 -8388607 1 fffffffffd -4194299 2 -128
// expect-output: 100 -4000 7ffffffffffff -16 7fffffff 14
// expect-output: 101 -3999 7fffffffffffe -15 7ffffffe 14
// expect-output: 102 -3998 7fffffffffffd -14 7ffffffd 14
// expect-output: 78 3456 12
// expect-output: 12abcd78
// expect-output: 2 2
// expect-output: 4 2
#include <stdio.h>
#include <string.h>

struct mixed {
    int a : 3;
    unsigned b : 5;
    int c : 24;
    _Bool d : 1;
    unsigned long e : 40;
    long f : 23;
    unsigned : 0;
    unsigned char g : 2;
    short h : 9;
};

struct __attribute__((packed)) tight {
    unsigned a : 7;
    int b : 13;
    unsigned long c : 51;
    signed char d : 5;
    unsigned e : 31;
};

union word {
    unsigned all;
    struct {
        unsigned low : 8, mid : 16, high : 8;
    };
};

enum color { RED, GREEN, BLUE };

struct colors {
    enum color first : 2, second : 2;
};

volatile int v = -2;

int main(void) {
    struct mixed m = {.a = 3, .b = 31, .c = -8388608, .d = 1, .e = 0xffffffffff, .f = -4194304, .g = 3, .h = -256};
    printf("%d %u %d %d %lx %ld %d %d %zu\n", m.a, m.b, m.c, m.d, (unsigned long)m.e, (long)m.f, m.g, m.h, sizeof m);
    m.a = v;
    m.b += 2;
    m.c++;
    m.d = v;
    m.e = m.e * 3;
    m.f ^= 5;
    m.g--;
    m.h = (short)(m.h >> 1);
    printf("%d %u %d %d %lx %ld %d %d\n", m.a, m.b, m.c, m.d, (unsigned long)m.e, (long)m.f, m.g, m.h);
    struct tight t[3];
    memset(t, 0, sizeof t);
    for (int i = 0; i < 3; i++) {
        t[i].a = 100u + (unsigned)i;
        t[i].b = -4000 + i;
        t[i].c = 0x7ffffffffffff - (unsigned long)i;
        t[i].d = (signed char)(-16 + i);
        t[i].e = 0x7fffffffu - (unsigned)i;
    }
    for (int i = 0; i < 3; i++) {
        printf("%u %d %lx %d %x %zu\n", t[i].a, t[i].b, (unsigned long)t[i].c, t[i].d, t[i].e, sizeof t[i]);
    }
    union word w = {.all = 0x12345678};
    printf("%x %x %x\n", w.low, w.mid, w.high);
    w.mid = 0xabcd;
    printf("%x\n", w.all);
    struct colors c = {BLUE, GREEN};
    c.second = (enum color)(c.first & 1 ? RED : BLUE);
    printf("%d %d\n", c.first, c.second);
    printf("%d %d\n", (m.a = 3) + 1, m.b++ + 1);
    return 0;
}

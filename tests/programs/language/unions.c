// levels: -O0 -O1 -O2
// expect-output: c0200000 c0 0
// expect-output: -2.5000608
// expect-output: 2.5000608
// expect-output: -5 0.75 8
// expect-output: 1 4030201 80007
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number {
    uint32_t word;
    float real;
    uint8_t bytes[4];
    uint16_t halves[2];
};

union large {
    struct {
        long tag;
        union {
            double d;
            char text[24];
        };
    } a;
    struct {
        long tag;
        int64_t i;
    } b;
};

static double value(union large l) {
    switch (l.b.tag) {
    case 0:
        return (double)l.b.i;
    case 1:
        return l.a.d;
    default:
        return (double)strlen(l.a.text);
    }
}

int main(void) {
    union number n = {.real = -2.5f};
    printf("%x %x %x\n", n.word, n.bytes[3], n.halves[0]);
    n.bytes[0] = 0xff;
    printf("%.8g\n", n.real);
    n.word ^= 0x80000000;
    printf("%.8g\n", n.real);
    union large l = {.b = {0, -5}};
    printf("%g ", value(l));
    l.a.tag = 1;
    l.a.d = 0.75;
    printf("%g ", value(l));
    l.a.tag = 2;
    strcpy(l.a.text, "seven by");
    printf("%g\n", value(l));
    union number list[3] = {{1}, {.bytes = {1, 2, 3, 4}}, {.halves = {7, 8}}};
    printf("%x %x %x\n", list[0].word, list[1].word, list[2].word);
    return 0;
}

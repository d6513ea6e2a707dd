// levels: -O0 -O1 -O2
// expect-output: 1023 15 10 1 45 9 2.25 20
#include <stdio.h>

struct device {
    volatile unsigned control;
    volatile unsigned char data[4];
    volatile struct {
        int lo : 4, hi : 12;
    } bits;
};

static struct device d;
volatile int sink;
static volatile double real = 1.5;
int *volatile moving;

int main(void) {
    int v[3] = {1, 2, 3};
    for (int i = 0; i < 10; i++) {
        d.control |= 1u << i;
        d.data[i % 4] += (unsigned char)i;
        d.bits.lo = i % 8;
        d.bits.hi += i;
        sink = i;
        sink;
    }
    real *= real;
    moving = v;
    moving++;
    *moving = 20;
    printf("%u %d %d %d %d %d %g %d\n", d.control, d.data[1], d.data[3], d.bits.lo, d.bits.hi, sink, real, v[1]);
    return 0;
}

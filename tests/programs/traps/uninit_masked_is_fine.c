// Bits that are masked away, multiplied by nothing or compared after a difference is certain decide nothing.
// levels: -O0 -O1 -O2
// expect-output: 0 255 7
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned *p = malloc(2 * sizeof *p);
    unsigned char *bytes = (unsigned char *)p;
    bytes[0] = 7;
    bytes[5] = 1;
    unsigned zero = p[0] & 0;
    unsigned ones = (p[1] | 0xff) & 0xff;
    unsigned low = p[0] & 0xff;
    if (zero == 0 && ones == 0xff && low == 7) {
        printf("%u %u %u\n", zero, ones, low);
    }
    free(p);
    return 0;
}

// Found by csmith (seed 145, --float): a conversion out of range is undefined in C; Heddle gives what x86-64 gives, not an error.
// expect-output: -2147483648 -9223372036854775808 0 0 0 9223372036854775808
// expect-output: 1410065408 -1410065408 10000000000
#include <stdint.h>
#include <stdio.h>

int main(void) {
    volatile double big = 1e30, ten = 1e10;
    volatile float nan = __builtin_nanf("");
    printf("%d %lld %d %d %u %llu\n", (int)big, (long long)big, (int16_t)big, (int8_t)big, (unsigned)big, (unsigned long long)nan);
    printf("%u %d %llu\n", (unsigned)ten, (int)(unsigned)-ten, (unsigned long long)ten);
    return 0;
}

// printf: integers, with all flags and lengths.
// expect-output: -42 42 42 52 2a BEEF c %
// expect-output: [   42] [42   ] [00042] [+42] [ 42] [  +42] [042] [     042] [042     ] [     042]
// expect-output: [0xff] [010] [0XFF] [0] [0] [      0xff] [0x000000ff] [0xff      ]
// expect-output: [] [] [0] [     ]
// expect-output: 44 44 4464 4464
// expect-output: -9223372036854775808 18446744073709551615 9223372036854775807 18446744073709551615
// expect-output: -1 7 -7
// expect-output: -9223372036854775808 ffffffff 255
// expect-output: [     1] [2     ] [3     ] [0005] [6]
// expect-output: -2147483648 2147483647
// levels: -O0 -O2
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    printf("%d %i %u %o %x %X %c %%\n", -42, 42, 42u, 42u, 42u, 0xBEEFu, 'c');
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%+5d] [%.3d] [%8.3d] [%-8.3d] [%08.3d]\n", 42, 42, 42, 42, 42, 42, 42, 42, 42, 42);
    printf("[%#x] [%#o] [%#X] [%#x] [%#o] [%#10x] [%#010x] [%-#10x]\n", 255u, 8u, 255u, 0u, 0u, 255u, 255u, 255u);
    printf("[%.0d] [%.0x] [%#.0o] [%5.0d]\n", 0, 0u, 0u, 0);
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%ld %lu %lld %llu\n", LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX);
    printf("%jd %zu %td\n", (intmax_t)-1, (size_t)7, (ptrdiff_t)-7);
    printf("%" PRId64 " %" PRIx32 " %" PRIu8 "\n", INT64_MIN, UINT32_MAX, (uint8_t)255);
    printf("[%*d] [%-*d] [%*d] [%.*d] [%.*d]\n", 6, 1, 6, 2, -6, 3, 4, 5, -1, 6);
    printf("%d %d\n", INT_MIN, INT_MAX);
    return 0;
}

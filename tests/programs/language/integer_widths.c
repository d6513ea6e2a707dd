// Wrap-around, extension and truncation in every width.
// levels: -O0 -O1 -O2
// expect-output: -128 255 -32768 65535
// expect-output: -2147483648 4294967295 -9223372036854775808 18446744073709551615
// expect-output: 0 0 0 0
// expect-output: -1 -1 -1 -1
// expect-output: ffffffffffffffff ffffffff 2345
// expect-output: -1
// expect-output: 1
// expect-output: 1
// expect-output: 0 1 1
// expect-output: -128 127
// expect-output: 9223372036854775807 9223372036854775805
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

volatile int8_t i8 = -128;
volatile uint8_t u8 = 255;
volatile int16_t i16 = -32768;
volatile uint16_t u16 = 65535;
volatile int32_t i32 = INT32_MIN;
volatile uint32_t u32 = UINT32_MAX;
volatile int64_t i64 = INT64_MIN;
volatile uint64_t u64 = UINT64_MAX;
volatile _Bool yes = 1;

int main(void) {
    printf("%d %d %d %d\n", i8, u8, i16, u16);
    printf("%d %u %lld %llu\n", i32, u32, (long long)i64, (unsigned long long)u64);
    u8++;
    u16++;
    u32++;
    u64++;
    printf("%d %d %u %llu\n", u8, u16, u32, (unsigned long long)u64);
    u8--;
    i8 = (int8_t)u8;
    i16 = i8;
    i32 = i16;
    i64 = i32;
    printf("%d %d %d %lld\n", i8, i16, i32, (long long)i64);
    u64 = (uint64_t)i8;
    u32 = (uint32_t)i16;
    u16 = (uint16_t)0x12345;
    printf("%llx %x %x\n", (unsigned long long)u64, u32, u16);
    i32 = (int32_t)(int8_t)0x1ff;
    printf("%d\n", i32);
    yes = (_Bool)256;
    printf("%d\n", yes);
    yes = 0.25 != 0;
    printf("%d\n", yes);
    printf("%d %d %d\n", -1 < 1u, -1L < 1u, (int8_t)-1 < (uint8_t)1);
    printf("%d %d\n", CHAR_MIN, CHAR_MAX);
    long long big = LLONG_MAX;
    printf("%lld %llu\n", big, (unsigned long long)big * 3);
    return 0;
}

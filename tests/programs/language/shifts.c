// levels: -O0 -O1 -O2
// expect-output: -4 6 -938
// expect-output: -62500000 125000000 3445948416
// expect-output: -281250000000000000 562500000000000000 4150933715003899904
// expect-output: 1 f9ccd8a1c5080000
// expect-output: 200000 7ce66c50e28
// expect-output: 40000000000 3e7336
// expect-output: 8000000000000000 1
// expect-output: 2 32 0
// expect-output: 30 c00000000000000 30
// expect-output: 30 30 c00000000000000 8000000
#include <stdint.h>
#include <stdio.h>

volatile int by = 5;
volatile int8_t s8 = -100;
volatile uint8_t u8 = 200;
volatile int16_t s16 = -30000;
volatile int32_t s32 = -2000000000;
volatile uint32_t u32 = 4000000000u;
volatile int64_t s64 = -9000000000000000000;
volatile uint64_t u64 = 18000000000000000000u;

int main(void) {
    printf("%d %d %d\n", s8 >> by, u8 >> by, s16 >> by);
    printf("%d %u %u\n", s32 >> by, u32 >> by, u32 << by);
    printf("%lld %llu %llu\n", (long long)(s64 >> by), (unsigned long long)(u64 >> by), (unsigned long long)(u64 << by));
    for (int i = 0; i < 64; i += 21) {
        printf("%llx %llx\n", 1ull << i, (unsigned long long)(u64 >> i));
    }
    u8 = (uint8_t)(u8 << 3);
    s8 = (int8_t)(u8 >> 1);
    u8 >>= by;
    u32 <<= 31;
    printf("%d %d %u\n", u8, s8, u32);
    uint32_t rotl = (0x80000001u << (by & 31)) | (0x80000001u >> (-by & 31));
    uint64_t rotr = (0x8000000000000001u >> (by & 63)) | (0x8000000000000001u << (-by & 63));
    uint8_t rot8 = (uint8_t)((0x81u << by) | (0x81u >> (8 - by)));
    printf("%x %llx %x\n", rotl, (unsigned long long)rotr, rot8);
    printf("%x %x %llx %x\n", __builtin_rotateleft8(0x81, by), __builtin_rotateleft16(0x8001, by),
           (unsigned long long)__builtin_rotateright64(0x8000000000000001, by), __builtin_rotateright32(1, by));
    return 0;
}

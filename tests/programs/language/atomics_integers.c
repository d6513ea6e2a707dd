// Every read-modify-write operation in every width, signed and unsigned, with the value before and after.
// levels: -O0 -O1 -O2
// expect-output: 120 125 110 111 107 49 1 0 4 8 27 121
// expect-output: 250 4 230 238 234 176 1 0 9 18 52 252
// expect-output: -30000 -29901 -30198 -30101 -30101 -30159 1 0 98 196 497 -29713
// expect-output: 65530 1 65516 65519 65515 65457 1 0 6 12 37 65533
// expect-output: -5 72 -159 -147 -151 -205 1 0 76 152 387 -7
// expect-output: 4294967290 6 4294967266 4294967278 4294967274 4294967216 1 0 11 22 62 4294967292
// expect-output: -1000000000000 -999999999987 -1000000000026 -1000000000017 -1000000000021 -1000000000079 1 0 12 24 67 -999999999935
// expect-output: 18446744073709551600 5 18446744073709551558 18446744073709551575 18446744073709551571 18446744073709551497 1 0 20 40 107 18446744073709551609
// expect-output: -7 -7 -7 -9
// expect-output: 7 -5 7 -7
// expect-output: 4294967289 5 4294967289 4294967287
// expect-output: -100 -100 -100 -12
// expect-output: 200 100 200 248
// expect-output: -1099511627776 -1099511627776 -1099511627776 0
// expect-output: 0 1 0
// expect-output: 0 1 0
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define TRY(type, format, start, operand)                                                                              \
    do {                                                                                                               \
        static _Atomic type v;                                                                                         \
        _Atomic type on_stack;                                                                                         \
        atomic_init(&v, (type)(start));                                                                                \
        atomic_store(&on_stack, (type)(start));                                                                        \
        type x = (type)(operand);                                                                                      \
        printf(format " ", (type)atomic_fetch_add(&v, x));                                                             \
        printf(format " ", (type)atomic_fetch_sub_explicit(&v, (type)(x * 3), memory_order_relaxed));                  \
        printf(format " ", (type)atomic_fetch_or_explicit(&v, x, memory_order_acquire));                               \
        printf(format " ", (type)atomic_fetch_and_explicit(&v, (type)~(type)4, memory_order_release));                 \
        printf(format " ", (type)atomic_fetch_xor_explicit(&v, (type)0x5a, memory_order_acq_rel));                     \
        printf(format " ", (type)atomic_exchange(&v, (type)(x + 1)));                                                  \
        type expected = (type)(x + 1);                                                                                 \
        printf("%d ", atomic_compare_exchange_strong(&v, &expected, (type)(x - 1)));                                   \
        printf("%d ", atomic_compare_exchange_strong(&v, &expected, (type)9));                                         \
        printf(format " ", expected);                                                                                  \
        while (!atomic_compare_exchange_weak_explicit(&v, &expected, (type)(expected * 2), memory_order_acq_rel, memory_order_relaxed)) { \
        }                                                                                                              \
        printf(format " ", (type)atomic_load_explicit(&v, memory_order_acquire));                                      \
        v += 3;                                                                                                        \
        v++;                                                                                                           \
        --v;                                                                                                           \
        v *= 5;                                                                                                        \
        v >>= 1;                                                                                                       \
        on_stack |= v;                                                                                                 \
        on_stack = on_stack - 2;                                                                                       \
        printf(format " " format "\n", (type)v, (type)on_stack);                                                       \
    } while (0)

#define MIN_MAX(type, format, start, operand)                                                                          \
    do {                                                                                                               \
        type v = (type)(start);                                                                                        \
        printf(format " ", (type)__atomic_fetch_min(&v, (type)(operand), __ATOMIC_SEQ_CST));                           \
        printf(format " ", (type)__atomic_fetch_max(&v, (type)(start), __ATOMIC_RELAXED));                             \
        printf(format " ", (type)__atomic_fetch_nand(&v, (type)0x0f, __ATOMIC_ACQUIRE));                               \
        printf(format "\n", (type)__atomic_add_fetch(&v, 1, __ATOMIC_RELEASE));                                        \
    } while (0)

int main(void) {
    TRY(int8_t, "%d", 120, 5);
    TRY(uint8_t, "%d", 250, 10);
    TRY(int16_t, "%d", -30000, 99);
    TRY(uint16_t, "%d", 65530, 7);
    TRY(int, "%d", -5, 77);
    TRY(unsigned, "%u", 4294967290u, 12);
    TRY(long, "%ld", -1000000000000, 13);
    TRY(unsigned long, "%lu", 18446744073709551600u, 21);
    MIN_MAX(int, "%d", -7, 5);
    MIN_MAX(int, "%d", 7, -5);
    MIN_MAX(unsigned, "%u", -7, 5);
    MIN_MAX(int8_t, "%d", -100, 100);
    MIN_MAX(uint8_t, "%d", 200, 100);
    MIN_MAX(long, "%ld", -(1L << 40), 1L << 41);
    atomic_bool b = 0;
    printf("%d ", atomic_exchange(&b, 1));
    printf("%d ", atomic_fetch_xor(&b, 1));
    printf("%d\n", b);
    atomic_flag f = ATOMIC_FLAG_INIT;
    printf("%d ", atomic_flag_test_and_set(&f));
    printf("%d ", atomic_flag_test_and_set_explicit(&f, memory_order_acquire));
    atomic_flag_clear(&f);
    printf("%d\n", atomic_flag_test_and_set(&f));
    return 0;
}

// 16 bytes: loads, stores, exchanges, compare-and-exchange, arithmetic.
// levels: -O0 -O1 -O2
// cflags: -mcx16 -Wno-atomic-alignment
// expect-output: 80000000000000000000000000000005
// expect-output: 80000000000000000000000000000005
// expect-output: ffffffffffffffffffffffffffffffff
// expect-output: 00000000000000000000000000000006
// expect-output: ffffffffffffffc00000000000000006
// expect-output: ffffffffffffffc00000000000000006
// expect-output: ffffffffffffffc09000000000000006
// expect-output: 0
// expect-output: 1
// expect-output: 00000000000000000000000000000001
// expect-output: 0000000000000000000000000000000b
// expect-output: 1 0
// expect-output: 0
// expect-output: 1 1
// expect-output: 1 1
// expect-output: 77
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;

struct tagged {
    void *pointer;
    unsigned long count;
};

static _Atomic u128 wide;
static _Atomic struct tagged top;
static int object;

static void show(u128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }

int main(void) {
    atomic_store(&wide, ((u128)1 << 127) | 5);
    show(atomic_load(&wide));
    show(atomic_exchange_explicit(&wide, ~(u128)0, memory_order_acq_rel));
    show(atomic_fetch_add(&wide, (u128)7));
    show(atomic_fetch_sub(&wide, (u128)1 << 70));
    show(atomic_fetch_or(&wide, (u128)3 << 100));
    show(atomic_fetch_xor(&wide, (u128)9 << 60));
    show(atomic_fetch_and(&wide, ~((u128)1 << 3)));
    u128 expected = 0;
    printf("%d\n", atomic_compare_exchange_strong(&wide, &expected, (u128)1));
    printf("%d\n", atomic_compare_exchange_strong(&wide, &expected, (u128)1));
    show(wide);
    wide += 10;
    show(wide);

    struct tagged old = atomic_load(&top);
    printf("%d %lu\n", old.pointer == NULL, old.count);
    struct tagged fresh;
    do {
        fresh = (struct tagged){&object, old.count + 1};
    } while (!atomic_compare_exchange_weak(&top, &old, fresh));
    struct tagged wrong = {NULL, 1};
    printf("%d\n", atomic_compare_exchange_strong(&top, &wrong, fresh));
    printf("%d %lu\n", wrong.pointer == &object, wrong.count);
    old = atomic_exchange(&top, ((struct tagged){NULL, 77}));
    printf("%d %lu\n", old.pointer == &object, old.count);
    struct tagged last = top;
    printf("%lu\n", last.count);
    return 0;
}

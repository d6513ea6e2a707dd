// Atomic floats, doubles, pointers, small structs, enums; the __sync and __atomic builtins.
// levels: -O0 -O1 -O2
// cflags: -Wno-atomic-alignment
// expect-output: 5.25 1.0625
// expect-output: 1
// expect-output: 2.0625 5.25
// expect-output: 12 2
// expect-output: 1
// expect-output: 14
// expect-output: 6 2
// expect-output: -1 -2
// expect-output: 1
// expect-output: 3 11 11 -3 0 -3 7 100 0
// expect-output: 40 1 50 40 41 0 1 0
// expect-output: 1 2 1
// expect-output: 16
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

struct small {
    short a, b;
};
struct odd {
    char v[3];
};

static _Atomic float f = 1.5f;
static _Atomic double d = 2.25;
static _Atomic(int *) p;
static _Atomic struct small s;
static _Atomic enum { A, B, C } e = B;
static int numbers[5] = {10, 11, 12, 13, 14};
static long plain = 40;
static int word = 3;
static char byte = 7;

int main(void) {
    f += 2;
    f *= 1.5f;
    d -= 0.125;
    d /= 2;
    printf("%g %g\n", (double)f, (double)d);
    double seen = d;
    printf("%d\n", atomic_compare_exchange_strong(&d, &seen, seen + 1));
    printf("%g %g\n", atomic_load(&d), (double)atomic_exchange(&f, 9.0f));
    atomic_store(&p, numbers);
    p++;
    atomic_fetch_add(&p, 2);
    atomic_fetch_sub(&p, 1);
    printf("%d %td\n", *atomic_load(&p), p - numbers);
    int *at = p;
    printf("%d\n", atomic_compare_exchange_strong(&p, &at, &numbers[4]));
    printf("%d\n", *p);
    atomic_init(&s, ((struct small){1, 2}));
    struct small t = s;
    t.a += 5;
    s = t;
    t = atomic_exchange(&s, ((struct small){-1, -2}));
    printf("%d %d\n", t.a, t.b);
    t = s;
    printf("%d %d\n", t.a, t.b);
    e = C;
    printf("%d\n", e == C);

    printf("%d ", __sync_fetch_and_add(&word, 4));
    printf("%d ", __sync_add_and_fetch(&word, 4));
    printf("%d ", __sync_fetch_and_nand(&word, 3));
    printf("%d ", __sync_or_and_fetch(&word, 1));
    printf("%d ", __sync_bool_compare_and_swap(&word, -4, 8));
    printf("%d ", __sync_val_compare_and_swap(&word, word, 100));
    printf("%d ", __sync_lock_test_and_set(&byte, 1));
    __sync_lock_release(&byte);
    __sync_synchronize();
    printf("%d %d\n", word, byte);
    long out, expected = 40, desired = 50;
    __atomic_load(&plain, &out, __ATOMIC_SEQ_CST);
    printf("%ld ", out);
    printf("%d ", __atomic_compare_exchange(&plain, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    __atomic_exchange(&plain, &expected, &out, __ATOMIC_ACQ_REL);
    printf("%ld %ld ", out, plain);
    printf("%ld ", __atomic_xor_fetch(&plain, 1, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_test_and_set(&byte, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_test_and_set(&byte, __ATOMIC_SEQ_CST));
    __atomic_clear(&byte, __ATOMIC_RELEASE);
    printf("%d\n", byte);
    printf("%d %d %d\n", atomic_is_lock_free(&plain), ATOMIC_INT_LOCK_FREE, __atomic_always_lock_free(8, 0));
    _Atomic int local = 3;
    _Atomic int *q = &local;
    (*q)++;
    *q <<= 2;
    printf("%d\n", local);
    return 0;
}

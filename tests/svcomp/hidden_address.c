// While the first thread has the address of x only as a number that does not look like one, the second must not take it for somebody who leaves x alone.
// check: sc,tso,pso --search stateful -O2 => Violation assertion
// check: sc,tso,pso --search stateful -O2 -DDISTANCE => Violation assertion
// check: sc --search stateful -O2 --without partial-order => Violation assertion
// check: sc,tso,pso --search stateful -DNOT => Safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y, told;
uintptr_t key = 3;

__attribute__((noinline)) static void answer(uintptr_t number, uintptr_t with) {
    told = 1;
    if (y == 3) {
#ifdef DISTANCE
        *(atomic_int*)(number + with) = 1;
#else
        *(atomic_int*)(number / with) = 1;
#endif
    }
}

static void* hides(void* arg) {
    (void)arg;
#ifdef DISTANCE
    answer((uintptr_t)&x - (uintptr_t)&key, (uintptr_t)&key);
#else
    answer((uintptr_t)&x * key, key);
#endif
    return 0;
}

static void* asks(void* arg) {
    (void)arg;
    if (told == 1) {
#ifndef NOT
        y = 3;
#endif
        assert(x == 0);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, hides, 0);
    pthread_create(&b, 0, asks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

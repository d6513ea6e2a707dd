// A ring buffer with one producer and one consumer, fed for ever with 0, 1, 2, 3, 0, ... On pso the index may be seen before the value.
// check: sc,tso --search stateful => Safe
// check: pso --search stateful => Violation assertion
// check: sc,tso,pso --search stateful -DRELEASE => Safe
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { kSize = 3 };
static atomic_int slots[kSize];
static atomic_int head, tail; // modulo kSize; the ring is full when one slot is left

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static void* producer(void* arg) {
    (void)arg;
    int at = 0;
    for (int value = 0;; value = (value + 1) % 4) {
        while (atomic_load_explicit(&head, memory_order_acquire) == (at + 1) % kSize) {
        }
        atomic_store_explicit(&slots[at], value, memory_order_relaxed);
        at = (at + 1) % kSize;
        atomic_store_explicit(&tail, at, PUBLISH);
    }
    return 0;
}

static void* consumer(void* arg) {
    (void)arg;
    int at = 0;
    for (int expected = 0;; expected = (expected + 1) % 4) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == at) {
        }
        assert(atomic_load_explicit(&slots[at], memory_order_relaxed) == expected);
        at = (at + 1) % kSize;
        atomic_store_explicit(&head, at, PUBLISH);
    }
    return 0;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){producer, consumer});
    return 0;
}

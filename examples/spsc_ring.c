// A ring buffer between one producer and one consumer.
//
// Each index is written by one side and read by the other; release and acquire hand the slot over with it, in both directions.
// With relaxed indices (BROKEN) the consumer may see the new index before the new value: on pso, and as a data race under rc11.
//
//     ./heddle check examples/spsc_ring.c                Safe
//     ./heddle check examples/spsc_ring.c -- -DBROKEN    Violation: a data race on a slot
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,ra -DBROKEN => Safe
// check: pso -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation data-race,assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef BROKEN
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif

enum { SLOTS = 2, ITEMS = 3 };

static int slots[SLOTS];
static atomic_uint produced, consumed; // in all, ever

static bool put(int item) {
    const unsigned mine = atomic_load_explicit(&produced, memory_order_relaxed);
    if (mine - atomic_load_explicit(&consumed, ACQUIRE) == SLOTS) {
        return false; // full
    }
    slots[mine % SLOTS] = item;
    atomic_store_explicit(&produced, mine + 1, RELEASE);
    return true;
}

static bool take(int* item) {
    const unsigned mine = atomic_load_explicit(&consumed, memory_order_relaxed);
    if (atomic_load_explicit(&produced, ACQUIRE) == mine) {
        return false; // empty
    }
    *item = slots[mine % SLOTS];
    atomic_store_explicit(&consumed, mine + 1, RELEASE);
    return true;
}

static void* produce(void* argument) {
    for (int i = 1; i <= ITEMS; ++i) {
        while (!put(i)) {
            sched_yield();
        }
    }
    return argument;
}

static void* consume(void* argument) {
    for (int i = 1; i <= ITEMS; ++i) {
        int item;
        while (!take(&item)) {
            sched_yield();
        }
        assert(item == i);
    }
    return argument;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}

// check: armv8 => Safe

// A sequence lock: readers do not write anything; they read, and start again when a writer was busy meanwhile.
//
// An odd sequence number means "being written". Two orders carry it all, and both are easy to forget:
//   the writer's fence: the number becomes odd before the data changes. Without it (BROKEN_WRITER) pso and rc11 show new data
//       under the old number;
//   the reader's fence: the data is read before the number is looked at again. Without it (BROKEN_READER) rc11 lets the second
//       look be a stale one.
//
//     ./heddle check examples/seqlock.c                        Safe
//     ./heddle check examples/seqlock.c -- -DBROKEN_READER     Violation: a point that never was
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,ra -DBROKEN_WRITER => Safe
// check: pso,rc11,power,armv8 -DBROKEN_WRITER => Violation assertion
// check: sc,tso,pso,ra -DBROKEN_READER => Safe
// check: rc11,power,armv8 -DBROKEN_READER => Violation assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y; // always equal

static void* write_point(void* argument) {
    for (int i = 1; i <= 2; ++i) {
        const unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
#ifndef BROKEN_WRITER
        atomic_thread_fence(memory_order_release);
#endif
        atomic_store_explicit(&x, i, memory_order_relaxed);
        atomic_store_explicit(&y, i, memory_order_relaxed);
        atomic_store_explicit(&sequence, before + 2, memory_order_release);
    }
    return argument;
}

static void* read_point(void* argument) {
    unsigned before, after;
    int my_x, my_y;
    do {
        while ((before = atomic_load_explicit(&sequence, memory_order_acquire)) % 2 == 1) {
            sched_yield();
        }
        my_x = atomic_load_explicit(&x, memory_order_relaxed);
        my_y = atomic_load_explicit(&y, memory_order_relaxed);
#ifndef BROKEN_READER
        atomic_thread_fence(memory_order_acquire);
#endif
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (after != before);
    assert(my_x == my_y);
    return argument;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_point, NULL);
    pthread_create(&reader, NULL, read_point, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}

// check: armv8 => Safe

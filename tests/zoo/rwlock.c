// A reader-writer lock in one word: the number of readers, or -1 for a writer.
//
// BROKEN_READER: a reader leaves with a relaxed update; the next writer does not synchronise with its reads: a race under rc11
// alone.
// BROKEN_WRITER: the writer leaves with a relaxed store; pso may show the free lock before what was written, rc11 has a race.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra -DBROKEN_READER => Safe
// check: rc11 -DBROKEN_READER => Violation data-race
// check: sc,tso,ra -DBROKEN_WRITER => Safe
// check: pso -DBROKEN_WRITER => Violation assertion
// check: rc11,power,armv8 -DBROKEN_WRITER => Violation data-race,assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN_READER
#define READER_LEAVES memory_order_relaxed
#else
#define READER_LEAVES memory_order_release
#endif
#ifdef BROKEN_WRITER
#define WRITER_LEAVES memory_order_relaxed
#else
#define WRITER_LEAVES memory_order_release
#endif

static atomic_int state;
static int left, right; // always equal outside the writer

static void lock_to_read(void) {
    for (;;) {
        int readers = atomic_load_explicit(&state, memory_order_relaxed);
        if (readers >= 0 &&
            atomic_compare_exchange_strong_explicit(&state, &readers, readers + 1, memory_order_acquire, memory_order_relaxed)) {
            return;
        }
    }
}

static void unlock_reader(void) { atomic_fetch_sub_explicit(&state, 1, READER_LEAVES); }

static void lock_to_write(void) {
    int nobody;
    do {
        nobody = 0;
    } while (!atomic_compare_exchange_strong_explicit(&state, &nobody, -1, memory_order_acquire, memory_order_relaxed));
}

static void unlock_writer(void) { atomic_store_explicit(&state, 0, WRITER_LEAVES); }

static void* reader(void* argument) {
    lock_to_read();
    assert(left == right);
    unlock_reader();
    return argument;
}

static void* writer(void* argument) {
    lock_to_write();
    ++left;
    ++right;
    unlock_writer();
    return argument;
}

int main(void) {
    run_all(3, (void* (*const[])(void*)){reader, writer, reader});
    assert(left == 1 && right == 1);
    return 0;
}

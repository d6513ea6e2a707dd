// A loop that tries again, and of which only an iteration that fails races. The reader wants a and b to belong together; every pair of latest values does, so it never has to wait, but one that
// reads the old a and the new b fails, and looks at `data` before it tries again. The writer writes `data` only if it has not been told to be quiet: executions in which it was are found
// first, and in them the loop is seen to be one that tries again, whose failed iterations are then in no graph (explorer_failures.cpp).
//
// With READER_FIRST the reader's iteration is there, and has been asked about, before `data` is written: the new write is what makes the question worth asking again.
//
// check: rc11 => Violation data-race
// check: rc11 -DREADER_FIRST => Violation data-race
// check: rc11 -DREADER_FIRST -DQUIET => Safe
// check: sc,tso --races => Violation data-race
// check: rc11 -DQUIET => Safe
// check: sc,tso,pso,ra => Safe
#include "threads.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_int quiet, a, b;
static int data;

static void* hush(void* argument) {
    atomic_store_explicit(&quiet, 1, memory_order_relaxed);
    return argument;
}

static void* write(void* argument) {
    atomic_store_explicit(&a, 1, memory_order_release);
    atomic_store_explicit(&b, 1, memory_order_release);
#ifndef QUIET
    if (!atomic_load_explicit(&quiet, memory_order_relaxed)) {
        data = 1;
    }
#endif
    return argument;
}

static void* read(void* argument) {
    for (;;) {
        const int my_a = atomic_load_explicit(&a, memory_order_relaxed);
        const int my_b = atomic_load_explicit(&b, memory_order_relaxed);
        if (my_b <= my_a) {
            return argument;
        }
        (void)*(volatile int*)&data;
    }
}

int main(void) {
#ifdef READER_FIRST
    void* (*const bodies[])(void*) = {read, hush, write};
#else
    void* (*const bodies[])(void*) = {hush, write, read};
#endif
    run_all(3, bodies);
    return 0;
}

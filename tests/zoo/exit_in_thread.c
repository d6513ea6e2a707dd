// A thread ends the program while others run and wait. Nobody joins it: what comes after a join of it never happens, and that main waits for it for good is no deadlock.
// Others may be anywhere at that moment, so what they do is judged as ever.
//
// BROKEN: another thread fails if it is fast enough.
// FROM_HANDLER: the failure is in a handler of atexit, which runs in the thread that exits.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation assertion
// check: sc,tso,pso,ra,rc11,power,armv8 -DFROM_HANDLER => Violation assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

#ifdef FROM_HANDLER
static void last_words(void) { assert(!atomic_load_explicit(&done, memory_order_relaxed)); }
#endif

static void* leaver(void* argument) {
    (void)argument;
    exit(0);
}

static void* worker(void* argument) {
    atomic_store_explicit(&done, 1, memory_order_relaxed);
#ifdef BROKEN
    assert(!argument);
#endif
    return argument;
}

int main(void) {
#ifdef FROM_HANDLER
    atexit(last_words);
#endif
    run_all(2, (void* (*const[])(void*)){leaver, worker});
    assert(!"a thread that has ended the program was joined");
    return 0;
}

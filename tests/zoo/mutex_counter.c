// The plainest of all: a counter under a pthread mutex, and without it.
//
// check: sc,tso,pso,ra,rc11 => Safe complete=6 blocked=0
// check: sc,tso,pso,ra -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation data-race,assertion
#include "threads.h"

#include <assert.h>

enum { THREADS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* argument) {
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
    ++counter;
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#else
    (void)mutex;
#endif
    return argument;
}

int main(void) {
    in_parallel(THREADS, work);
    assert(counter == THREADS);
    return 0;
}

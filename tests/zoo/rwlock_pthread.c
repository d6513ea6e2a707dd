// pthread_rwlock: two readers and a writer.
//
// BROKEN: the writer only takes the lock for reading, and the readers see its work half done. No weak memory needed.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation assertion,data-race
#include "threads.h"

#include <assert.h>

#ifdef BROKEN
#define lock_to_write pthread_rwlock_rdlock
#else
#define lock_to_write pthread_rwlock_wrlock
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right; // always equal outside the writer

static void* reader(void* argument) {
    pthread_rwlock_rdlock(&lock);
    assert(left == right);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void* writer(void* argument) {
    lock_to_write(&lock);
    ++left;
    ++right;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    run_all(3, (void* (*const[])(void*)){reader, writer, reader});
    assert(left == 1 && right == 1);
    return 0;
}

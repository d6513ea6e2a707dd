// dcl_singleton of the POWER paper's Table 1: double-checked locking. What the pointer leads to must be written before the pointer; who reads through it depends
// on the pointer, which POWER respects, so one fence does.
//
// check: power => Violation assertion
// check: power -DFENCES => Safe blocked=0
#include "../zoo/threads.h"
#include "fences.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct singleton {
    volatile int value;
};

static struct singleton storage;
static struct singleton* volatile instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct singleton* get(void) {
    struct singleton* it = instance;
    if (!it) {
        pthread_mutex_lock(&mutex);
        it = instance;
        if (!it) {
            it = &storage;
            it->value = 42;
            LWSYNC();
            instance = it;
        }
        pthread_mutex_unlock(&mutex);
    }
    return it;
}

static void* work(void* argument) {
    (void)argument;
    assert(get()->value == 42);
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

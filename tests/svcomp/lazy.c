// Lazy initialisation: whoever comes first makes the object. Double-checked; on pso the pointer may be seen before what it points to.
// check: sc,tso --search stateful => Safe
// check: pso --search stateful => Violation uninitialized-read,assertion
// check: sc,tso,pso --search stateful -DRELEASE => Safe
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int*) object;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int* get(void) {
    int* p = atomic_load_explicit(&object, memory_order_acquire);
    if (!p) {
        pthread_mutex_lock(&m);
        p = atomic_load_explicit(&object, memory_order_relaxed);
        if (!p) {
            p = malloc(sizeof *p);
            *p = 42;
            atomic_store_explicit(&object, p, PUBLISH);
        }
        pthread_mutex_unlock(&m);
    }
    return p;
}

static void* thread(void* arg) {
    assert(*get() == 42);
    return arg;
}

int main(void) {
    in_parallel(2, thread);
    free(atomic_load(&object));
    return 0;
}

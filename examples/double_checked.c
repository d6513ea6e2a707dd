// Double-checked locking: create something on first use, without taking the lock every time.
//
// The pointer must be published with release and read with acquire: whoever sees it then also sees what it points to. With
// relaxed accesses (BROKEN_ORDER) C gives no such promise: a data race under rc11, an unfinished object on hardware that reorders
// stores (pso). A PC (tso) happens to be kind. Without the second look (BROKEN_CHECK) two threads create one each, on any
// machine.
//
//     ./heddle check examples/double_checked.c                        Safe
//     ./heddle check examples/double_checked.c -- -DBROKEN_ORDER      Violation: a data race
//     ./heddle check examples/double_checked.c -- -DBROKEN_CHECK      Violation: two settings
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,ra -DBROKEN_ORDER => Safe
// check: pso -DBROKEN_ORDER => Violation assertion,uninitialized-read
// check: rc11,power,armv8 -DBROKEN_ORDER => Violation data-race,assertion,uninitialized-read
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN_CHECK => Violation assertion,leak
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN_ORDER
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif

struct settings {
    int volume;
};

static struct settings* _Atomic shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int created;

static struct settings* settings(void) {
    struct settings* known = atomic_load_explicit(&shared, ACQUIRE);
    if (known) {
        return known; // no lock on the usual way
    }
    pthread_mutex_lock(&mutex);
#ifndef BROKEN_CHECK
    known = atomic_load_explicit(&shared, memory_order_relaxed);
#endif
    if (!known) {
        known = malloc(sizeof *known);
        known->volume = 11;
        ++created;
        atomic_store_explicit(&shared, known, RELEASE);
    }
    pthread_mutex_unlock(&mutex);
    return known;
}

static void* listen(void* argument) {
    assert(settings()->volume == 11);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, listen, NULL);
    pthread_create(&b, NULL, listen, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(created == 1);
    free(atomic_load(&shared));
    return 0;
}

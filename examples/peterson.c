// Peterson's lock: mutual exclusion for two threads, with loads and stores only.
//
// It is right as long as "I want to" is visible to the other thread before I look whether the other wants to. Sequentially
// consistent accesses say so. Release and acquire do not: each thread's store may still be on its way while its load is done, and
// both enter.
//
//     ./heddle check examples/peterson.c                            Safe
//     ./heddle check examples/peterson.c --model tso -- -DBROKEN    Violation: a count is lost, even on a PC
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation assertion
// check: sc -DBROKEN => Safe
// check: tso,pso,ra -DBROKEN => Violation assertion
// check: rc11,power -DBROKEN => Violation assertion,data-race
// check: sc,tso,pso,ra -DBROKEN_ALONE => Violation assertion
// check: rc11 -DBROKEN_ALONE => Violation assertion,data-race
// check: sc,tso,pso --equivalence value => Safe complete=4 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

static atomic_int wants[2];
static atomic_int last; // who came last waits
static int counter;

static void lock(int me) {
    const int other = 1 - me;
    atomic_store_explicit(&wants[me], 1, STORE);
    atomic_store_explicit(&last, me, STORE);
#ifdef BROKEN_ALONE // it does not matter who came last
    (void)other;
#else
    while (atomic_load_explicit(&wants[other], LOAD) && atomic_load_explicit(&last, LOAD) == me) {
    }
#endif
}

static void unlock(int me) { atomic_store_explicit(&wants[me], 0, memory_order_release); }

static void* count(void* argument) {
    const int me = *(int*)argument;
    lock(me);
    ++counter;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int names[2] = {0, 1};
    for (int i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, count, &names[i]);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == 2);
    return 0;
}

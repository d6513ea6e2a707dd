// A flag that is spun on with atomic loads and first set plainly: the read that lets the waiting thread go on is ordered after all that the other did, but those
// before it, which made it go round once more, are not ordered with the plain store.
//
// check: rc11 => Violation data-race
// check: sc,tso,pso,ra => Safe
// check: sc,tso,pso,ra --races => Violation data-race
// check: rc11 --equivalence rf => Violation data-race
// check: rc11 --equivalence value => Violation data-race
// check: rc11 -DATOMIC => Safe complete=1
// check: sc,tso,pso,ra -DATOMIC --races => Safe complete=1
#include <pthread.h>

static int flag;

static void* set(void* argument) {
#ifdef ATOMIC
    __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
#else
    flag = 2;
#endif
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return argument;
}

static void* wait(void* argument) {
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != 1) {
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, wait, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}

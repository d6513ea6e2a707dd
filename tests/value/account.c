// account: two clerks move money between two accounts (a kind of program of the MCR paper's table 5). Without a lock both accounts race, and money is lost.
//
// check: sc,tso,pso --equivalence value => Violation assertion
// check: sc,tso,pso --equivalence value --races --keep-going => Violation data-race,assertion
// check: sc,tso,pso -DLOCKED --equivalence value --races => Safe
// check: sc,tso,pso -DLOCKED --races => Safe
// check: rc11 --equivalence value => Violation data-race
// check: ra,rc11 -DLOCKED --equivalence value => Safe
#include "../zoo/threads.h"

#include <assert.h>

static int accounts[2] = {10, 10};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
}
static void unlock(void) {
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}

static void* work(void* argument) {
    const int from = index_of(argument);
    lock();
    accounts[from] -= 1;
    accounts[1 - from] += 1;
    unlock();
    return NULL;
}

int main(void) {
    (void)mutex;
    in_parallel(2, work);
    assert(accounts[0] + accounts[1] == 20);
    return 0;
}

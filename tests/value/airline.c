// airline(N): N agents sell SEATS seats. Each looks at the number sold under a lock and sells in a second critical section: nothing races, and yet too many are
// sold. (A kind of program of the MCR paper's table 5: a wrong result without a data race.)
//
// check: sc,tso,pso --equivalence value --races => Violation assertion
// check: sc,tso,pso --races => Violation assertion
// check: ra,rc11 --equivalence value => Violation assertion
// check: sc,tso,pso -DRIGHT --equivalence value --races => Safe
// check: ra,rc11 -DRIGHT --equivalence value => Safe
#include "../zoo/threads.h"

#include <assert.h>

#ifndef N
#define N 3
#endif
#define SEATS (N - 1)

static int sold;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* argument) {
    (void)argument;
    pthread_mutex_lock(&mutex);
    const int is_free = sold < SEATS;
#ifndef RIGHT
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
#endif
    sold += is_free;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    assert(sold <= SEATS);
    return 0;
}

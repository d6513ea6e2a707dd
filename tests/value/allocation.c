// allocation(N): N threads allocate blocks from a shared vector, each looking for a free one under the lock of that block, and give them back (a kind of program of
// the MCR paper's table 5, without data races). BROKEN gives a block back twice, so that two threads may hold it.
//
// check: sc,tso,pso --equivalence value --races => Safe
// check: ra,rc11 --equivalence value => Safe
// check: sc,tso,pso -DBROKEN --equivalence value --races => Violation assertion
// check: ra,rc11 -DBROKEN --equivalence value => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>

#ifndef N
#define N 3
#endif
#define BLOCKS (N - 1)

static int taken[BLOCKS], users[BLOCKS];
static pthread_mutex_t mutex[BLOCKS];

static int take(void) {
    for (int b = 0; b < BLOCKS; ++b) {
        pthread_mutex_lock(&mutex[b]);
        const int is_free = !taken[b];
        if (is_free) {
            taken[b] = 1;
            assert(users[b] == 0);
            ++users[b];
        }
        pthread_mutex_unlock(&mutex[b]);
        if (is_free) {
            return b;
        }
    }
    return -1;
}

static void give_back(int b) {
#ifdef BROKEN
    pthread_mutex_lock(&mutex[b]);
    taken[b] = 0;
    pthread_mutex_unlock(&mutex[b]);
#endif
    pthread_mutex_lock(&mutex[b]);
    --users[b];
    taken[b] = 0;
    pthread_mutex_unlock(&mutex[b]);
}

static void* work(void* argument) {
    const int b = take();
    if (b >= 0) {
        give_back(b);
    }
    return argument;
}

int main(void) {
    for (int b = 0; b < BLOCKS; ++b) {
        pthread_mutex_init(&mutex[b], NULL);
    }
    in_parallel(N, work);
    return 0;
}

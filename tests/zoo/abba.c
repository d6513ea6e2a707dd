// Two locks taken in two orders: each thread holds one and waits for the other's.
//
// check: sc,tso,pso,ra,rc11 => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation deadlock
#include "threads.h"

#include <assert.h>

static pthread_mutex_t accounts[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {10, 10};

static void transfer(int from, int to, int amount) {
    int first = from, second = to;
#ifndef BROKEN
    if (first > second) { // everybody takes the lower one first
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&accounts[first]);
    pthread_mutex_lock(&accounts[second]);
    balance[from] -= amount;
    balance[to] += amount;
    pthread_mutex_unlock(&accounts[second]);
    pthread_mutex_unlock(&accounts[first]);
}

static void* work(void* argument) {
    const int me = index_of(argument);
    transfer(me, 1 - me, me + 1);
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    assert(balance[0] == 11 && balance[1] == 9);
    return 0;
}

// Dijkstra's dining philosophers: each needs the fork on the left and the one on the right.
//
// When everybody takes the left one first (BROKEN), all may hold one and wait for the next, in a circle. One who takes the right
// one first breaks it.
//
//     ./heddle check examples/philosophers.c                Safe
//     ./heddle check examples/philosophers.c -- -DBROKEN    Violation: deadlock, and who waits where
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe blocked=0
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation deadlock
#include <assert.h>
#include <pthread.h>

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS]; // counted on the fork to the left

static void* dine(void* argument) {
    const int seat = *(int*)argument;
    int first = seat, second = (seat + 1) % SEATS;
#ifndef BROKEN
    if (first > second) { // the last one
        first = second;
        second = seat;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    ++meals[seat];
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    pthread_t philosophers[SEATS];
    int seats[SEATS];
    for (int i = 0; i < SEATS; ++i) {
        seats[i] = i;
        pthread_create(&philosophers[i], NULL, dine, &seats[i]);
    }
    for (int i = 0; i < SEATS; ++i) {
        pthread_join(philosophers[i], NULL);
        assert(meals[i] == 1);
    }
    return 0;
}

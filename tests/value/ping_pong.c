// ping_pong(N): N players each take the ball, a pointer that another player may take away after it was looked at (a kind of program of the MCR paper's table
// 5). Without a lock the pointer races, and is null where it was not a moment ago.
//
// check: sc,tso,pso --equivalence value => Violation null-dereference
// check: sc,tso,pso --equivalence value --races => Violation null-dereference,data-race
// check: rc11 --equivalence value => Violation data-race,null-dereference
// check: sc,tso,pso -DLOCKED --equivalence value --races => Safe
// check: ra,rc11 -DLOCKED --equivalence value => Safe
#include "../zoo/threads.h"

#include <stddef.h>

#ifndef N
#define N 3
#endif

static int hits;
static int* volatile ball = &hits; // volatile: looked at twice, as written
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* play(void* argument) {
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    if (ball) {
        *ball += 1;
        ball = NULL;
    }
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
    return argument;
}

int main(void) {
    (void)mutex;
    in_parallel(N, play);
    return 0;
}

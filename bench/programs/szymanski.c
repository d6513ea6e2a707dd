// szymanski(N): Szymanski's algorithm (1988) for N threads, seq_cst: a waiting room with a door in and a door out; one flag of
// five values per thread. Wrong under ra, where seq_cst accesses are no stronger than release and acquire.
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

enum flag { OUTSIDE, WANTS_IN, WAITS_INSIDE, IN_THE_DOOR, DOOR_CLOSED };

static atomic_int flags[N];
static int shared;

/// Whether another thread's flag is `value`, looking at one after the other: the algorithm does not ask for a snapshot.
static bool any_other_is(int me, enum flag value) {
    for (int j = 0; j < N; ++j) {
        if (j != me && atomic_load(&flags[j]) == (int)value) {
            return true;
        }
    }
    return false;
}

static void lock(int me) {
    atomic_store(&flags[me], WANTS_IN);
    for (int j = 0; j < N; ++j) {
        while (j != me && atomic_load(&flags[j]) >= IN_THE_DOOR) {
        }
    }
    atomic_store(&flags[me], IN_THE_DOOR);
    if (any_other_is(me, WANTS_IN)) {
        atomic_store(&flags[me], WAITS_INSIDE);
        while (!any_other_is(me, DOOR_CLOSED)) {
        }
    }
    atomic_store(&flags[me], DOOR_CLOSED);
    for (int j = 0; j < me; ++j) { // lower indices go first
        while (atomic_load(&flags[j]) >= WAITS_INSIDE) {
        }
    }
}

static void unlock(int me) {
    for (int j = me + 1; j < N; ++j) { // whoever is in the room must have seen the door closed before it opens again
        int theirs;
        do {
            theirs = atomic_load(&flags[j]);
        } while (theirs == WAITS_INSIDE || theirs == IN_THE_DOOR);
    }
    atomic_store(&flags[me], OUTSIDE);
}

static void* work(void* argument) {
    const int me = index_of(argument);
    lock(me);
    shared = me;
    assert(shared == me);
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

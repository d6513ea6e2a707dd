// Szymanski's algorithm (1988): a waiting room with a door in and a door out; one flag of five values per thread.
//
// Every step is "write my flag, look at the others'"; with release and acquire (BROKEN) the looks may miss the writes and two
// threads walk through all the doors at once.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: ra => Violation assertion,liveness
// check: sc -DBROKEN => Safe
// check: tso,pso,ra -DBROKEN => Violation assertion,liveness
// check: rc11,power -DBROKEN => Violation assertion,data-race,liveness
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

enum { OUTSIDE, WANTS_IN, WAITS_INSIDE, IN_THE_DOOR, DOOR_CLOSED };

static atomic_int flags[2];
static int counter;

static int flag_of(int thread) { return atomic_load_explicit(&flags[thread], LOAD); }
static void set(int me, int value) { atomic_store_explicit(&flags[me], value, STORE); }

static void lock(int me) {
    const int other = 1 - me;
    set(me, WANTS_IN);
    while (flag_of(other) >= IN_THE_DOOR) {
    }
    set(me, IN_THE_DOOR);
    if (flag_of(other) == WANTS_IN) {
        set(me, WAITS_INSIDE);
        while (flag_of(other) != DOOR_CLOSED) {
        }
    }
    set(me, DOOR_CLOSED);
    if (me == 1) { // lower indices go first
        while (flag_of(0) >= WAITS_INSIDE) {
        }
    }
}

static void unlock(int me) {
    if (me == 0) { // whoever is in the room must have seen the door closed before it opens again
        int theirs;
        do {
            theirs = flag_of(1);
        } while (theirs == WAITS_INSIDE || theirs == IN_THE_DOOR);
    }
    set(me, OUTSIDE);
}

static void* work(void* argument) {
    const int me = index_of(argument);
    lock(me);
    ++counter;
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    assert(counter == 2);
    return 0;
}

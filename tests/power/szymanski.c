// szymanski of the POWER paper's Table 1 (tests/zoo/szymanski.c tells how it works).
//
// check: power => Violation assertion,liveness
// check: power -DFENCES => Safe blocked=0
#include "critical_section.h"

enum { OUTSIDE, WANTS_IN, WAITS_INSIDE, IN_THE_DOOR, DOOR_CLOSED };

static volatile int flags[2];

static void lock(int me) {
    const int other = 1 - me;
    store_sync(&flags[me], WANTS_IN);
    while (load_sync(&flags[other]) >= IN_THE_DOOR) {
    }
    store_sync(&flags[me], IN_THE_DOOR);
    if (load_sync(&flags[other]) == WANTS_IN) {
        store_sync(&flags[me], WAITS_INSIDE);
        while (load_sync(&flags[other]) != DOOR_CLOSED) {
        }
    }
    store_sync(&flags[me], DOOR_CLOSED);
    while (me == 1 && load_sync(&flags[0]) >= WAITS_INSIDE) {
    }
}

static void unlock(int me) {
    for (int theirs = WAITS_INSIDE; me == 0 && (theirs == WAITS_INSIDE || theirs == IN_THE_DOOR);) {
        theirs = load_sync(&flags[1]);
    }
    store_sync(&flags[me], OUTSIDE);
}

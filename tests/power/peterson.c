// peterson of the POWER paper's Table 1.
//
// check: power => Violation assertion
// check: power -DFENCES => Safe blocked=0
#include "critical_section.h"

static volatile int wants[2];
static volatile int turn;

static void lock(int me) {
    const int other = 1 - me;
    store_sync(&wants[me], 1);
    store_sync(&turn, other);
    while (load_sync(&wants[other]) && load_sync(&turn) == other) {
    }
}

static void unlock(int me) { store_sync(&wants[me], 0); }

// dekker of the POWER paper's Table 1: the flags are raised and looked at without an order between the two.
//
// check: power => Violation assertion
// check: power -DFENCES => Safe blocked=0
#include "critical_section.h"

static volatile int wants[2];
static volatile int turn;

static void lock(int me) {
    const int other = 1 - me;
    store_sync(&wants[me], 1);
    while (load_sync(&wants[other])) {
        if (load_sync(&turn) != me) {
            store_sync(&wants[me], 0);
            while (load_sync(&turn) != me) {
            }
            store_sync(&wants[me], 1);
        }
    }
}

static void unlock(int me) {
    store_sync(&turn, 1 - me);
    store_sync(&wants[me], 0);
}

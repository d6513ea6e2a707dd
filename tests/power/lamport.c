// lamport of the POWER paper's Table 1: the fast mutual exclusion of two threads.
//
// check: power => Violation assertion
// check: power -DFENCES => Safe blocked=0
#include "critical_section.h"

static volatile int busy[2];
static volatile int x, y; // 0: nobody; else a thread's index and one

static void lock(int me) {
    for (;;) {
        store_sync(&busy[me], 1);
        store_sync(&x, me + 1);
        if (load_sync(&y) != 0) {
            store_sync(&busy[me], 0);
            while (load_sync(&y) != 0) {
            }
            continue;
        }
        store_sync(&y, me + 1);
        if (load_sync(&x) == me + 1) {
            return;
        }
        store_sync(&busy[me], 0);
        while (load_sync(&busy[1 - me])) {
        }
        if (load_sync(&y) == me + 1) {
            return;
        }
        while (load_sync(&y) != 0) {
        }
    }
}

static void unlock(int me) {
    store_sync(&y, 0);
    store_sync(&busy[me], 0);
}

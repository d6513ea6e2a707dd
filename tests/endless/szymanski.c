// Szymanski's lock, taken for ever by two threads.
// check: sc,tso,pso --search stateful -DFENCE => Safe
// check: sc --search stateful => Safe
// check: tso,pso --search stateful => Violation assertion
#include "exclusion.h"

static atomic_int flag[2];
static atomic_int inside;

static void* thread(void* arg) {
    const int me = index_of(arg);
    const int other = 1 - me;
    for (;;) {
        STORE(flag[me], 1); // standing outside the waiting room
        ORDER();
        while (LOAD(flag[other]) >= 3) {
        }
        STORE(flag[me], 3); // in the doorway
        ORDER();
        if (LOAD(flag[other]) == 1) {
            STORE(flag[me], 2); // waiting for others to come in
            ORDER();
            while (LOAD(flag[other]) != 4) {
            }
        }
        STORE(flag[me], 4); // the door is closed
        ORDER();
        while (me == 1 && LOAD(flag[0]) >= 2) { // those with lower numbers first
        }
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        for (int higher = 2; me == 0 && (higher == 2 || higher == 3);) { // those with higher numbers must have come in
            higher = LOAD(flag[1]);
        }
        STORE(flag[me], 0);
        ORDER();
    }
    return 0;
}

int main(void) {
    in_parallel(2, thread);
    return 0;
}

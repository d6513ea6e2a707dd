// Peterson's lock, taken for ever by two threads.
// check: sc,tso,pso --search stateful -DFENCE => Safe
// check: sc --search stateful => Safe
// check: tso,pso --search stateful => Violation assertion
#include "exclusion.h"

static atomic_int flag[2], turn;
static atomic_int inside;

static void* thread(void* arg) {
    const int me = index_of(arg);
    for (;;) {
        STORE(flag[me], 1);
        ORDER();
        STORE(turn, 1 - me);
        ORDER();
        while (LOAD(flag[1 - me]) && LOAD(turn) == 1 - me) {
        }
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        ORDER();
        STORE(flag[me], 0);
    }
    return 0;
}

int main(void) {
    in_parallel(2, thread);
    return 0;
}

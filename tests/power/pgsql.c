// pgsql and pgsql_bnd (-DROUNDS=N) of the POWER paper's Table 1: the latches of PostgreSQL. Each of two workers waits for its latch, must then find its flag raised, and passes
// both on, for ever or N times. (tests/zoo/pg_latch.c has what is waited for as a question of liveness.)
//
// check: power --unroll 8 => Violation assertion
// check: power -DFENCES --unroll 8 => SafeWithinBound
// check: power -DROUNDS=3 => Violation assertion
// check: power -DROUNDS=3 -DFENCES => Safe blocked=0
#include "../zoo/threads.h"
#include "fences.h"

#include <assert.h>
#include <stddef.h>

#ifdef ROUNDS
#define GOES_ON(round) ((round) < ROUNDS)
#else
#define GOES_ON(round) 1
#endif

static volatile int latch[2] = {1, 0};
static volatile int flag[2] = {1, 0};

static void* work(void* argument) {
    const int me = index_of(argument);
    for (int round = 0; GOES_ON(round); ++round) {
        while (!latch[me]) {
        }
        SYNC();
        latch[me] = 0;
        SYNC();
        assert(flag[me]);
        flag[me] = 0;
        flag[1 - me] = 1;
        LWSYNC();
        latch[1 - me] = 1;
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

// Two threads take turns by spinning on one variable. In BROKEN the first one keeps the turn after its last round: the other
// waits forever, which is no deadlock that any lock could report, but a wait that nobody will end.
//
// check: sc,tso,pso,ra,rc11 => Safe complete=1 blocked=0
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation liveness
#include "threads.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 2 };

static atomic_int turn;
static int hits;

static void* play(void* argument) {
    const int me = index_of(argument);
    for (int round = 0; round < ROUNDS; ++round) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != me) {
            sched_yield();
        }
        ++hits;
#ifdef BROKEN
        if (me == 0 && round == ROUNDS - 1) {
            break;
        }
#endif
        atomic_store_explicit(&turn, 1 - me, memory_order_release);
    }
    return NULL;
}

int main(void) {
    in_parallel(2, play);
    assert(hits == 2 * ROUNDS);
    return 0;
}

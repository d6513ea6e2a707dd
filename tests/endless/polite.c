// Two threads that let each other go first may do so for ever, although both go on: a livelock. Nothing is wrong in any state.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful --property termination => Violation non-termination
// check: sc,tso,pso --search stateful --property termination -DTURN => Safe
#include "../zoo/threads.h"

#include <stdatomic.h>

static atomic_int wants[2];

static void* thread(void* arg) {
    const int me = index_of(arg);
    for (;;) {
        atomic_store(&wants[me], 1);
        if (!atomic_load(&wants[1 - me])) {
            break;
        }
#ifdef TURN
        if (me == 0) { // the first insists
            while (atomic_load(&wants[1])) {
            }
            break;
        }
        atomic_store(&wants[me], 0);
        while (atomic_load(&wants[0])) {
        }
#else
        atomic_store(&wants[me], 0);
#endif
    }
    atomic_store(&wants[me], 0);
    return 0;
}

int main(void) {
    in_parallel(2, thread);
    return 0;
}

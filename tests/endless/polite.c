// Two threads that let each other go first may do so for ever, although both go on: a livelock. Nothing is wrong in any state.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful --property termination => Violation liveness
// check: sc,tso,pso --search stateful --property termination -DTURN => Safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void* thread(void* arg) {
    const int me = arg != 0;
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
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, (void*)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

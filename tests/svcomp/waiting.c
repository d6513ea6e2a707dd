// Under --property unreach-call threads may wait for ever (here for a value that they have read once and never read again), and memory may be lost.
// check: sc --search stateful --property unreach-call => Safe
// check: tso,pso --search stateful --property unreach-call => Violation reach-error
// check: sc,tso --search stateful --property unreach-call -DFENCE => Safe
// check: sc --search stateful => Violation liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void reach_error(void) {}

static _Atomic int flag[2], inside;
static void* lost;

static void cross(int me) {
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    int other = atomic_load_explicit(&flag[1 - me], memory_order_relaxed);
    while (other) {
    }
    atomic_store_explicit(&inside, me, memory_order_relaxed);
    if (atomic_load_explicit(&inside, memory_order_relaxed) != me) {
        reach_error();
    }
}

static void* first(void* arg) {
    lost = malloc(4);
    lost = 0;
    cross(0);
    return arg;
}

static void* second(void* arg) {
    cross(1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

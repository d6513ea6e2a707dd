// growth_turns(N): one execution in which every event depends on all before it. Two threads take turns N times each, waiting for the
// number that the other stores; the spin loops are not explored, so there is no choice.
#include "../../tests/zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 1000
#endif

static atomic_int turn;

static void* work(void* argument) {
    for (int mine = index_of(argument); mine < 2 * N; mine += 2) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != mine) {
            pause_cpu();
        }
        atomic_store_explicit(&turn, mine + 1, memory_order_release);
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

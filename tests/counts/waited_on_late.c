// waited_on_late: under rf the first execution is counted without building its last write, to y, before it is learnt that a loop waits for y. With
// that write y has more than one coherence, so what was counted until then does not count (Explorer::can_learn_in_place).
//
// check: sc,tso,ra --equivalence rf --no-symmetry => Safe complete=7 blocked=0
// check: pso,rc11 --equivalence rf --no-symmetry => Safe complete=8 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

static atomic_int x, y;

static void* write(void* argument) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return argument;
}

static void* wait(void* argument) {
    while (atomic_load_explicit(&x, memory_order_seq_cst) == 0 && atomic_load_explicit(&y, memory_order_acquire) == 0) {
    }
    (void)atomic_load_explicit(&x, memory_order_acquire);
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
    return argument;
}

int main(void) {
    pthread_t writer, waiter;
    pthread_create(&writer, NULL, write, NULL);
    pthread_create(&waiter, NULL, wait, NULL);
    return 0;
}

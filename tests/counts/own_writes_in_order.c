// Two stores of one thread to one location, the first of them a release behind a store to another: whoever has read the second does not read the first afterwards.
//
// check: sc,tso,pso,ra,rc11 --equivalence trace => Safe complete=10 blocked=0
// check: sc,tso,pso,ra,rc11 --equivalence rf => Safe complete=6 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

static atomic_int x, y;

static void* work(void* argument) {
    if (index_of(argument) == 0) {
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        atomic_store_explicit(&x, 1, memory_order_release);
        atomic_store_explicit(&x, 1, memory_order_relaxed);
    } else {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        (void)atomic_load_explicit(&x, memory_order_relaxed);
        (void)atomic_load_explicit(&x, memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

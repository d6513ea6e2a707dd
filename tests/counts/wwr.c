// W,W,R (the POWER paper's Fig. 9): two writers and a reader of one location.
//
// check: sc,tso,pso,ra,rc11 --equivalence trace --no-symmetry => Safe complete=6 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

static atomic_int x;

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me < 2) {
        atomic_store_explicit(&x, me + 1, memory_order_relaxed);
    } else {
        (void)atomic_load_explicit(&x, memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    in_parallel(3, work);
    return 0;
}

// A plain store to a location that another thread has stored to with a relaxed access, right after a relaxed update that has read that store: under ra the update learns of it, by the
// happens-before of C11, by which races are judged under every model, it does not.
//
// check: sc,tso,pso,ra --races => Violation data-race
// check: rc11 => Violation data-race
// check: sc,tso,pso,ra,rc11 -DATOMIC --races => Safe
#include "threads.h"

#include <stdatomic.h>

static atomic_int shared;
static int own;

static void* work(void* argument) {
    if (index_of(argument) == 0) {
        atomic_store_explicit(&shared, 1, memory_order_relaxed);
        return NULL;
    }
    const int last = atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed);
#ifdef ATOMIC
    if (last != 0) {
        atomic_store_explicit(&shared, 1, memory_order_relaxed);
    }
    own = 1;
#else
    *(last != 0 ? (int*)&shared : &own) = 1;
#endif
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

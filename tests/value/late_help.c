// late_help: the reads of an iteration that tries again are each possible before somebody stores, but not together; with the store they are.
//
// z is 1 because the one or the other writer has stored it. If x is then 0 the first has not begun, so it was the second, and y is 1; if y is 0 it was the first, and x is 1. For both to be 0
// the keeper's x = 0 must have come after x = 1. x was 0 before, too, so reading it is nothing new, and neither is reading y; but x may now have been read from what is stored
// later, and that makes the two new (ValueExplorer::stores_it_may_need: without the reads that are tried one of the 13 is missed). The keeper waits (never for long), so that it comes after the iteration has been asked.
//
// check: sc,tso,pso,ra,rc11 --equivalence value => Safe complete=13
// check: sc,tso,pso,ra,rc11 -DNEVER_BOTH --equivalence value => Violation assertion
// check: sc,tso,pso,ra,rc11 -DNEVER_BOTH => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

static atomic_int x, y, z, w, version;

static void* work(void* argument) {
    switch (index_of(argument)) {
    case 0:
        if (atomic_load(&z) == 1) {
            int first;
            int second;
            int seen;
            do {
                seen = atomic_load(&version);
                first = atomic_load(&x);
                second = atomic_load(&y);
            } while (!atomic_compare_exchange_strong(&version, &seen, seen + 10));
#ifdef NEVER_BOTH
            assert(first != 0 || second != 0);
#endif
        }
        atomic_store(&w, 5);
        break;
    case 1:
        atomic_store(&x, 1);
        atomic_store(&z, 1);
        break;
    case 2:
        atomic_store(&y, 1);
        atomic_store(&z, 1);
        break;
    default: {
        int turn;
        while ((turn = atomic_load(&w)) == 3) {
        }
        if (turn == 0) {
            atomic_store(&x, 0);
        }
        atomic_fetch_add(&version, 1);
    }
    }
    return 0;
}

int main(void) {
    in_parallel(4, work);
    return 0;
}

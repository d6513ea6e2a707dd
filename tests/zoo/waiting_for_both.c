// A reader that waits until what it reads of two locations belongs together and nobody is writing, in a loop that begins with another loop. It waits at the head of the outer one, an iteration at a
// time (explorer_awaits.cpp); readers do not know of each other, and each of them has ten ways to read.
//
// check: sc,tso,pso,ra,rc11 => Safe complete=10 blocked=0
// check: sc,tso,pso,ra,rc11 -DREADERS=2 => Safe complete=100 blocked=0
// check: sc,rc11 --equivalence rf => Safe complete=10 blocked=0
// check: sc,tso,pso,ra,rc11 --equivalence value => Safe complete=3 blocked=0
// check: sc,rc11 -DREADERS=2 --equivalence value => Safe complete=9 blocked=0
// check: rc11 -DBROKEN => Violation assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 1
#endif

static atomic_int writing, a, b;

static void* write(void* argument) {
    for (int i = 1; i <= 2; ++i) {
        atomic_store(&writing, 1);
        atomic_store(&a, i);
        atomic_store(&b, i);
        atomic_store(&writing, 0);
    }
    return argument;
}

static void* read(void* argument) {
    int my_a, my_b;
    do {
        while (atomic_load(&writing)) {
        }
        my_a = atomic_load(&a);
        my_b = atomic_load(&b);
#ifdef BROKEN
    } while (atomic_load(&writing));
#else
    } while (my_a != my_b || atomic_load(&writing));
#endif
    assert(my_a == my_b);
    return argument;
}

int main(void) {
    void* (*bodies[1 + READERS])(void*);
    bodies[0] = write;
    for (int k = 1; k <= READERS; ++k) {
        bodies[k] = read;
    }
    run_all(1 + READERS, bodies);
    return 0;
}

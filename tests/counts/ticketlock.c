// ticketlock(N): the tickets decide everything, N! orders.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=6 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=120 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=7 --equivalence trace --no-symmetry => Safe complete=5040 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=40320 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=9 --equivalence trace --no-symmetry => Safe complete=362880 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence value => Safe complete=120 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_uint next_ticket, owner;
static int shared;

static void* work(void* argument) {
    const int me = index_of(argument);
    const unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&owner, memory_order_acquire) != ticket) {
        pause_cpu();
    }
    shared = me;
    assert(shared == me);
    atomic_store_explicit(&owner, ticket + 1, memory_order_release);
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

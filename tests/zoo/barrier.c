// The sense-reversing barrier: the last one to arrive turns the sense around, which the others wait for.
//
// BROKEN: the last one turns the sense before it sets the count back. A fast thread may reach the next barrier in between and
// count on what is left; then its arrival is wiped out, and everybody waits for one more that never comes. That needs no weak
// memory.
// BROKEN_ORDER: arriving is relaxed; under rc11 what was written before the barrier is then not ordered with the reads behind it.
// An update is a full fence under tso and pso.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation liveness
// check: sc,tso,pso,ra -DBROKEN_ORDER => Safe
// check: rc11,power,armv8 -DBROKEN_ORDER => Violation data-race,assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef BROKEN_ORDER
#define ARRIVE memory_order_relaxed
#else
#define ARRIVE memory_order_acq_rel
#endif

enum { THREADS = 2, ROUNDS = 2 };

static atomic_int missing = THREADS;
static atomic_int sense;
static int written[ROUNDS][THREADS];

static void barrier(int* my_sense) {
    *my_sense = !*my_sense;
    if (atomic_fetch_sub_explicit(&missing, 1, ARRIVE) == 1) {
#ifdef BROKEN
        atomic_store_explicit(&sense, *my_sense, memory_order_release);
        atomic_store_explicit(&missing, THREADS, memory_order_relaxed);
#else
        atomic_store_explicit(&missing, THREADS, memory_order_relaxed);
        atomic_store_explicit(&sense, *my_sense, memory_order_release);
#endif
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != *my_sense) {
            pause_cpu();
        }
    }
}

static void* work(void* argument) {
    const int me = index_of(argument);
    int my_sense = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        written[round][me] = 1;
        barrier(&my_sense);
        assert(written[round][1 - me] == 1);
    }
    return NULL;
}

int main(void) {
    in_parallel(THREADS, work);
    return 0;
}

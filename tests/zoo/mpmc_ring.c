// Vyukov's bounded queue for many producers and consumers: every cell has a sequence number that says whose turn it is.
//
// BROKEN: the sequence number is stored relaxed. pso may show it before the value in the cell, and rc11 has a race on the value.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,ra -DBROKEN => Safe
// check: pso -DBROKEN => Violation assertion
// check: rc11,power,armv8 -DBROKEN => Violation data-race,assertion
#include "mpmc_ring.h"
#include "threads.h"

#include <assert.h>
#include <sched.h>

static void* producer(void* argument) {
    const bool done = put(index_of(argument) + 1);
    assert(done); // two values, two cells
    return NULL;
}

static void* consumer(void* argument) {
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        int value;
        while (!take(&value)) {
            sched_yield();
        }
        sum += value;
    }
    assert(sum == 3);
    return argument;
}

int main(void) {
    make_ring();
    run_all(3, (void* (*const[])(void*)){producer, producer, consumer});
    return 0;
}

// The queue of Michael and Scott (1996): a list with a dummy node in front, and a tail that may lag behind by one.
//
// BROKEN_ORDER: the node is linked with a relaxed update; under rc11 the taker reads its value unordered with its writing.
// BROKEN_LINK: the node is linked with a store instead of a compare-and-swap; two nodes after the same last one, and one is lost.
//
// check: sc,tso,pso,ra,rc11,power => Safe
// check: sc,tso,pso,ra -DBROKEN_ORDER => Safe
// check: rc11,power,armv8 -DBROKEN_ORDER => Violation data-race,assertion
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN_LINK => Violation assertion
#include "threads.h"

#define NODES 2
#include "ms_queue.h"

#include <assert.h>

static int taken;

static void* put_one(void* argument) {
    put(&nodes[0], 1);
    return argument;
}

static void* put_and_take(void* argument) {
    put(&nodes[1], 2);
    taken = take();
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){put_one, put_and_take});
    const int rest = take();
    assert(taken != 0 && taken + rest == 3);
    assert(take() == 0);
    return 0;
}

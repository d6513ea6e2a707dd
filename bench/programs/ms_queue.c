// ms_queue(WRITERS, READERS): the queue of Michael and Scott (1996), a list with a dummy node in front and a tail that may lag
// behind by one. Each writer enqueues one value; each reader dequeues one or finds the queue empty. Nodes are never freed and never
// used again.
#include "../../tests/zoo/threads.h"

#include <assert.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif
#define NODES WRITERS
#include "../../tests/zoo/ms_queue.h"

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me < WRITERS) {
        put(&nodes[me], me + 1);
    } else {
        const int value = take();
        assert(0 <= value && value <= WRITERS);
    }
    return NULL;
}

int main(void) {
    in_parallel(WRITERS + READERS, work);
    return 0;
}

// mpmc_ring(WRITERS, READERS): Vyukov's bounded queue for many producers and consumers; every cell has a sequence number that says
// whose turn it is. Each producer puts one value, or finds the ring full; each consumer takes one, or finds it empty.
#include "../../tests/zoo/mpmc_ring.h"
#include "../../tests/zoo/threads.h"

#include <assert.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 2
#endif

static void* work(void* argument) {
    const int me = index_of(argument);
    if (me < WRITERS) {
        put(me + 1);
    } else {
        int value;
        if (take(&value)) {
            assert(1 <= value && value <= WRITERS);
        }
    }
    return NULL;
}

int main(void) {
    make_ring();
    in_parallel(WRITERS + READERS, work);
    return 0;
}

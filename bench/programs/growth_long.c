// growth_long(N): one execution with many events in a few threads. Each of four threads writes its own variable and reads it back,
// N times: 8 N events and no choice anywhere. -DORDER=seq_cst makes them seq_cst.
#include "../../tests/zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 1000
#endif
#ifndef ORDER
#define ORDER relaxed
#endif

#define ORDER_NAMED(name) memory_order_##name
#define ORDER_OF(name) ORDER_NAMED(name)

enum { THREADS = 4 };

static atomic_int own[THREADS];

static void* work(void* argument) {
    const int me = index_of(argument);
    for (int i = 0; i < N; ++i) {
        atomic_store_explicit(&own[me], i, ORDER_OF(ORDER));
        const int seen = atomic_load_explicit(&own[me], ORDER_OF(ORDER));
        assert(seen == i);
    }
    return NULL;
}

int main(void) {
    in_parallel(THREADS, work);
    return 0;
}

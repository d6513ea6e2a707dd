// growth_reads(N): one execution in which one location is read all the time. Two threads, one after the other, read it N times with seq_cst and try
// N times to update it, in vain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1000
#endif

static atomic_int shared;

static void* reader(void* argument) {
    for (int i = 0; i < N; ++i) {
        const int seen = atomic_load(&shared);
        assert(seen == 0);
        int expected = 1;
        const _Bool updated = atomic_compare_exchange_strong(&shared, &expected, 2);
        assert(!updated);
    }
    return argument;
}

int main(void) {
    for (int i = 0; i < 2; ++i) {
        pthread_t thread;
        pthread_create(&thread, NULL, reader, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}

// growth_hot(N): one execution with one hot location. A thread writes it N times; when it has ended another one reads it once, and
// has only the last value to read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1000
#endif

static atomic_int hot;

static void* writer(void* argument) {
    for (int i = 1; i <= N; ++i) {
        atomic_store_explicit(&hot, i, memory_order_relaxed);
    }
    return argument;
}

static void* reader(void* argument) {
    const int seen = atomic_load_explicit(&hot, memory_order_relaxed);
    assert(seen == N);
    return argument;
}

static void run(void* (*body)(void*)) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    run(writer);
    run(reader);
    return 0;
}

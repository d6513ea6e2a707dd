// growth_threads(N): one execution with many threads. Each of N threads stores once, to a variable of its own; main joins them all.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 60
#endif

static atomic_int own[N];

static void* work(void* argument) {
    atomic_store_explicit((atomic_int*)argument, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; ++i) {
        pthread_create(&threads[i], NULL, work, &own[i]);
    }
    for (int i = 0; i < N; ++i) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}

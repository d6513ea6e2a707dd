// growth_heap(N): one execution with N objects. A thread allocates each and writes it; when it has ended another one reads them and frees them.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif

static int* made[N];

static void* producer(void* argument) {
    for (int i = 0; i < N; ++i) {
        made[i] = malloc(sizeof(int));
        *made[i] = i;
    }
    return argument;
}

static void* consumer(void* argument) {
    for (int i = N; i-- > 0;) {
        if (*made[i] != i) {
            abort();
        }
        free(made[i]);
    }
    return argument;
}

static void run(void* (*body)(void*)) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    run(producer);
    run(consumer);
    return 0;
}

// A producer and a consumer who wait for each other with condition variables.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DDEAF => Violation deadlock
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>

enum { kItems = 3 };
static int full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;

static void* producer(void* arg) {
    (void)arg;
    for (int k = 0; k < kItems; k++) {
        pthread_mutex_lock(&m);
        while (full > 0) {
            pthread_cond_wait(&empty, &m);
        }
        full++;
        pthread_mutex_unlock(&m);
        pthread_cond_signal(&filled);
    }
    return 0;
}

static void* consumer(void* arg) {
    (void)arg;
    for (int k = 0; k < kItems; k++) {
        pthread_mutex_lock(&m);
        while (full == 0) {
            pthread_cond_wait(&filled, &m);
        }
        full--;
        assert(full == 0);
        pthread_mutex_unlock(&m);
#ifndef DEAF
        pthread_cond_signal(&empty);
#endif
    }
    return 0;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){producer, consumer});
    assert(full == 0);
    return 0;
}

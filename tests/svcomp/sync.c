// A producer and a consumer who wait for each other with condition variables.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DDEAF => Violation deadlock
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
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(full == 0);
    return 0;
}

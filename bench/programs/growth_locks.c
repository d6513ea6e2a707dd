// growth_locks(N): one execution with many critical sections. A thread enters one N times; when it has ended, another one does the same.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 200
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* argument) {
    for (int i = 0; i < N; ++i) {
        pthread_mutex_lock(&lock);
        ++counter;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    for (int i = 0; i < 2; ++i) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
    assert(counter == 2 * N);
    return 0;
}

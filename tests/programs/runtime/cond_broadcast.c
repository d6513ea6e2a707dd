// A broadcast wakes everybody who waits.
// expect-output: 3
// levels: -O0 -O2
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int waiting, started, woken;

static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_signal(&ready);
    while (!started) {
        pthread_cond_wait(&start, &mutex);
    }
    woken++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, run, NULL);
    }
    pthread_mutex_lock(&mutex);
    while (waiting < 3) {
        pthread_cond_wait(&ready, &mutex);
    }
    started = 1;
    pthread_cond_broadcast(&start);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d\n", woken);
    return 0;
}

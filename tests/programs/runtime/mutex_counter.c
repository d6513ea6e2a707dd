// Mutual exclusion.
// expect-output: 60
// levels: -O0 -O2
// seeds: 5
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *run(void *unused) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        int seen = counter;
        counter = seen + 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, run, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d\n", counter);
    return pthread_mutex_destroy(&mutex);
}

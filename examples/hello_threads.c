// Three threads greet and count together; the mutex keeps the counter whole.
//
//     ./heddle run examples/hello_threads.c
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* greet_and_count(void* argument) {
    const int me = *(int*)argument;
    printf("hello from thread %d\n", me);
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_mutex_lock(&lock);
        ++counter;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int names[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        names[i] = i + 1;
        pthread_create(&threads[i], NULL, greet_and_count, &names[i]);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
    assert(counter == THREADS * ROUNDS);
    printf("%d threads counted to %d\n", THREADS, counter);
    return 0;
}

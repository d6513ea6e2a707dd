// exit from a thread ends the program while others still wait.
// expect-output: ends
// expect-exit: 4
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *ends(void *unused) {
    puts("ends");
    exit(4);
}

int main(void) {
    pthread_t thread;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, ends, NULL);
    pthread_mutex_lock(&mutex);
    return 0;
}

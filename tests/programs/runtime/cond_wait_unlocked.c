// Waiting without the mutex.
// expect-exit: 1
// expect-error: pthread_cond_wait: the thread does not hold the mutex
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    pthread_cond_wait(&cond, &mutex);
    return 0;
}

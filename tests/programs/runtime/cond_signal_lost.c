// A signal that comes before the wait wakes nobody.
// expect-exit: 1
// expect-error: deadlock
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond;
    pthread_cond_init(&cond, NULL);
    pthread_cond_signal(&cond);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    return 0;
}

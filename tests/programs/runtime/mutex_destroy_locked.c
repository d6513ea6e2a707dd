// Destroying a locked mutex.
// expect-exit: 1
// expect-error: pthread_mutex_destroy: the mutex is locked
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
    return 0;
}

// Unlocking a mutex that nobody holds.
// expect-exit: 1
// expect-error: pthread_mutex_unlock: the thread does not hold the mutex
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_unlock(&mutex);
    return 0;
}

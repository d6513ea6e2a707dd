// A normal mutex locked twice by one thread is a deadlock.
// expect-exit: 1
// expect-error: deadlock
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return 0;
}

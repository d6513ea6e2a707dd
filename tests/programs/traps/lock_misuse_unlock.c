// expect-exit: 1
// expect-error: lock-misuse: pthread_mutex_unlock: the thread does not hold the mutex (thread 0, main)
// expect-error:   at lock_misuse_unlock.c:11:
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

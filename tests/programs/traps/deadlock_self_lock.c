// expect-exit: 1
// expect-error: deadlock: thread 0 waits for a lock that thread 0 holds (m) (thread 0, main)
// expect-error:   at deadlock_self_lock.c:10:
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}

// expect-exit: 1
// expect-error: lock-misuse: pthread_rwlock_unlock: the thread does not hold the lock
// expect-error:   at lock_misuse_rwlock.c:9:
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_unlock(&l);
    return 0;
}

// Unlocking a read-write lock that is not held.
// expect-exit: 1
// expect-error: pthread_rwlock_unlock: the thread does not hold the lock
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}

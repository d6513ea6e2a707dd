// Unlocking a spinlock that is not held.
// expect-exit: 1
// expect-error: pthread_spin_unlock: the thread does not hold the spinlock
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_unlock(&lock);
    return 0;
}

// The thread that holds the lock has ended.
// expect-exit: 1
// expect-error: deadlock: thread 0 waits for a lock that thread 1 holds
// expect-error:   at deadlock_exited_owner.c:18:
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    return 0;
}

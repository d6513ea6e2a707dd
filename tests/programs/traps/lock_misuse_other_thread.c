// expect-exit: 1
// expect-error: lock-misuse: pthread_mutex_unlock: the thread does not hold the mutex (thread 1)
// expect-error:   at lock_misuse_other_thread.c:10:
// expect-error: in worker
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}

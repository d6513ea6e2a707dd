// expect-exit: 1
// expect-error: deadlock:
// expect-error: thread 1 waits for a lock that thread 2 holds
// expect-error: thread 2 waits for a lock that thread 1 holds
// expect-error: thread 0 waits for thread 1 to end (thread 0, main)
// expect-error:   at deadlock_two_locks.c:17:
// expect-error:   at deadlock_two_locks.c:26:
// expect-error:   at deadlock_two_locks.c:37:
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&b);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

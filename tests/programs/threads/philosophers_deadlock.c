// Everybody takes the left fork first, and in this schedule before anybody takes a right one.
// expect-exit: 1
// options: --seed 1
// expect-error: deadlock:
// expect-error: waits for a lock that thread
// expect-error:   at philosophers_deadlock.c:18:
#include <pthread.h>

enum { N = 3 };

static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals;

static void *philosopher(void *p) {
    long i = (long)p;
    for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&forks[i]);
        pthread_mutex_lock(&forks[(i + 1) % N]);
        meals++;
        pthread_mutex_unlock(&forks[(i + 1) % N]);
        pthread_mutex_unlock(&forks[i]);
    }
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], NULL);
    }
    return 0;
}

// Waits with a time limit end: the lock is never released.
// expect-output: 1 1 1
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int results[3];

static void *worker(void *unused) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 1;
    results[0] = pthread_mutex_timedlock(&m, &soon) == ETIMEDOUT;
    results[1] = sem_timedwait(&s, &soon) == -1 && errno == ETIMEDOUT;
    return unused;
}

int main(void) {
    pthread_t t;
    struct timespec soon;
    sem_init(&s, 0, 0);
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    clock_gettime(CLOCK_REALTIME, &soon);
    results[2] = pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT;
    pthread_mutex_unlock(&m);
    printf("%d %d %d\n", results[0], results[1], results[2]);
    return 0;
}

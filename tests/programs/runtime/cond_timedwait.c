// A timed wait that nobody signals ends with ETIMEDOUT, the mutex locked again; the condition can be used and destroyed after.
// expect-output: 1
// expect-output: 1
// expect-output: 1
// expect-output: 0
// expect-output: 0
// levels: -O0 -O2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attr);
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&mutex);
    printf("%d\n", pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT);
    printf("%d\n", pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT);
    until.tv_nsec = -1;
    printf("%d\n", pthread_cond_timedwait(&cond, &mutex, &until) == EINVAL);
    printf("%d\n", pthread_mutex_unlock(&mutex));
    printf("%d\n", pthread_cond_destroy(&cond));
    return 0;
}

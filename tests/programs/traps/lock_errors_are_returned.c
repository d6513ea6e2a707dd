// Error-checking mutexes answer with error codes instead.
// expect-output: 1
// expect-output: 1
// expect-output: 1
// expect-output: 1
// expect-output: 1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t m;
    pthread_mutex_init(&m, &attr);
    printf("%d\n", pthread_mutex_unlock(&m) == EPERM);
    printf("%d\n", pthread_mutex_lock(&m) == 0);
    printf("%d\n", pthread_mutex_lock(&m) == EDEADLK);
    printf("%d\n", pthread_mutex_trylock(&m) == EBUSY);
    printf("%d\n", pthread_mutex_unlock(&m) == 0);
    pthread_mutex_destroy(&m);
    return 0;
}

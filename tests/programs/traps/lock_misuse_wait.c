// expect-exit: 1
// expect-error: lock-misuse: pthread_cond_wait: the thread does not hold the mutex
// expect-error:   at lock_misuse_wait.c:10:
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_wait(&c, &m);
    return 0;
}

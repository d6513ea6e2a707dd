// A lock that was never initialised.
// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error:   at uninit_mutex.c:10:
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    free(m);
    return 0;
}

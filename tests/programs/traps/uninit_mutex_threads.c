// A lock that was never initialised, met by a thread while others run.
// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error: (thread 1)
// expect-error:   at uninit_mutex_threads.c:10:
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *p) {
    pthread_mutex_lock(p);
    return NULL;
}

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_t t;
    pthread_create(&t, NULL, worker, m);
    pthread_join(t, NULL);
    free(m);
    return 0;
}

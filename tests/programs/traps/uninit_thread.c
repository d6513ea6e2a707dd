// Uninitialised memory handed to another thread.
// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch (thread 1)
// expect-error:   at uninit_thread.c:10:
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *p) {
    int *flag = p;
    if (*flag) {
        return p;
    }
    return NULL;
}

int main(void) {
    int *p = malloc(sizeof *p);
    pthread_t t;
    pthread_create(&t, NULL, worker, p);
    pthread_join(t, NULL);
    free(p);
    return 0;
}

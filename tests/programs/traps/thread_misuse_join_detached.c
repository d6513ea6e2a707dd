// expect-exit: 1
// expect-error: thread-misuse: join of a thread that was detached
// expect-error:   at thread_misuse_join_detached.c:12:
#include <pthread.h>

static void *worker(void *p) { return p; }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    pthread_join(t, NULL);
    return 0;
}

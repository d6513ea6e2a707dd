// expect-exit: 1
// expect-error: thread-misuse: detach of a thread that is not joinable
// expect-error:   at thread_misuse_detach_twice.c:12:
#include <pthread.h>

static void *worker(void *p) { return p; }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    pthread_detach(t);
    return 0;
}

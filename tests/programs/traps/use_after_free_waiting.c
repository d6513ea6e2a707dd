// The lock is freed while a thread waits for it.
// expect-exit: 1
// expect-error: use-after-free:
// expect-error: (thread 1)
// expect-error:   at use_after_free_waiting.c:12:
// expect-error: freed at use_after_free_waiting.c:25:
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void *worker(void *p) {
    pthread_mutex_lock(p);
    return NULL;
}

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, NULL);
    pthread_mutex_lock(m);
    pthread_t t;
    pthread_create(&t, NULL, worker, m);
    for (int i = 0; i < 20; i++) {
        sched_yield();
    }
    free(m);
    pthread_join(t, NULL);
    return 0;
}

// Two threads wait for each other to end.
// expect-exit: 1
// expect-error: deadlock: thread 0 waits for thread 1 to end
// expect-error: thread 1 waits for thread 0 to end
// expect-error:   at deadlock_join_cycle.c:17:
// expect-error:   at deadlock_join_cycle.c:10:
#include <pthread.h>

static void *worker(void *p) {
    pthread_join(*(pthread_t *)p, NULL);
    return NULL;
}

int main(void) {
    pthread_t me = pthread_self(), t;
    pthread_create(&t, NULL, worker, &me);
    pthread_join(t, NULL);
    return 0;
}

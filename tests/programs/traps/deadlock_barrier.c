// One thread too few.
// expect-exit: 1
// expect-error: deadlock:
// expect-error:   at deadlock_barrier.c:10:
#include <pthread.h>

static pthread_barrier_t b;

static void *worker(void *unused) {
    pthread_barrier_wait(&b);
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

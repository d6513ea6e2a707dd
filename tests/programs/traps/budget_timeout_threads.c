// expect-exit: 4
// options: --timeout 0.5
// expect-error: out-of-budget: the time limit has passed
#include <pthread.h>
#include <stdatomic.h>

static atomic_int going = 1;

static void *worker(void *p) {
    while (atomic_load(&going)) {
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}

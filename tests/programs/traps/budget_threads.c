// More threads than Heddle can name.
// expect-exit: 4
// expect-error: out-of-budget: more than 1024 threads
// expect-error:   at budget_threads.c:12:
#include <pthread.h>

static void *worker(void *p) { return p; }

int main(void) {
    for (int i = 0; i < 2000; i++) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}

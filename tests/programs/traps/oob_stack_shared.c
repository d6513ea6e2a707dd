// A local variable of main that another thread writes past.
// expect-exit: 1
// expect-error: out-of-bounds: write of 4 bytes outside the bounds of its object (thread 1)
// expect-error:   at oob_stack_shared.c:12:
// expect-error: in worker
// expect-error: the local variable 'results' has 8 bytes; the access is at offset 8
#include <pthread.h>

static void *worker(void *argument) {
    int *results = argument;
    for (int i = 0; i < 3; i++) {
        results[i] = i;
    }
    return NULL;
}

int main(void) {
    int results[2] = {0, 0};
    pthread_t t;
    pthread_create(&t, NULL, worker, results);
    pthread_join(t, NULL);
    return results[0];
}

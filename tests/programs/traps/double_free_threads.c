// expect-exit: 1
// expect-error: double-free: free of memory that was freed before (thread
// expect-error:   at double_free_threads.c:10:
// expect-error: in worker
// expect-error: freed at double_free_threads.c:10:
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *p) {
    free(p);
    return NULL;
}

int main(void) {
    void *p = malloc(8);
    pthread_t a, b;
    pthread_create(&a, NULL, worker, p);
    pthread_create(&b, NULL, worker, p);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

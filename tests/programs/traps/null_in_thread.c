// expect-exit: 1
// expect-error: null-dereference: read of 4 bytes through a null pointer (thread 2)
// expect-error:   at null_in_thread.c:8:
// expect-error: in worker
#include <pthread.h>

static void *worker(void *p) {
    return (void *)(long)*(int *)p;
}

int main(void) {
    pthread_t a, b;
    int x = 1;
    pthread_create(&a, NULL, worker, &x);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(b, NULL);
    return 0;
}

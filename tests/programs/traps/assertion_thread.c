// expect-exit: 1
// expect-error: assertion: assertion `*(int *)p == 2 && "counts"' failed (thread 1)
// expect-error:   at assertion_thread.c:9:
// expect-error: in worker
#include <assert.h>
#include <pthread.h>

static void *worker(void *p) {
    assert(*(int *)p == 2 && "counts");
    return NULL;
}

int main(void) {
    int x = 1;
    pthread_t t;
    pthread_create(&t, NULL, worker, &x);
    pthread_join(t, NULL);
    return 0;
}

// expect-exit: 1
// expect-error: leak: 32 bytes never freed, and nothing points there any more (thread 1)
// expect-error:   at leak_thread.c:10:
// expect-error: in worker
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    (void)unused;
    char *p = malloc(32);
    p[0] = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}

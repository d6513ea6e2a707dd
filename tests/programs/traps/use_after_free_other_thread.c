// expect-exit: 1
// expect-error: use-after-free: read of 4 bytes of memory that was freed (thread 1)
// expect-error:   at use_after_free_other_thread.c:16:
// expect-error: in reader
// expect-error: allocated at use_after_free_other_thread.c:20:
// expect-error: freed at use_after_free_other_thread.c:25:
// expect-error: in main
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t freed;

static void *reader(void *p) {
    sem_wait(&freed);
    return (void *)(long)*(int *)p;
}

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    sem_init(&freed, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, reader, p);
    free(p);
    sem_post(&freed);
    pthread_join(t, NULL);
    return 0;
}

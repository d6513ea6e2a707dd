// Returning from main ends the program whatever the other threads do.
// expect-exit: 4
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *worker(void *p) {
    sem_wait(&never);
    return p;
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    return 4;
}

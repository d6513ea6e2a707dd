// A thread is handed the address of a local variable of a function that returns before it looks.
// expect-exit: 1
// expect-error: use-after-return: read of 4 bytes of a local variable whose function has returned (thread 1)
// expect-error:   at use_after_return_thread.c:14:
// expect-error: in worker
#include <pthread.h>
#include <semaphore.h>

static sem_t returned;
static pthread_t thread;

static void *worker(void *argument) {
    sem_wait(&returned);
    return (void *)(long)*(int *)argument;
}

static void start(void) {
    int number = 3;
    pthread_create(&thread, NULL, worker, &number);
}

int main(void) {
    sem_init(&returned, 0, 0);
    start();
    sem_post(&returned);
    pthread_join(thread, NULL);
    return 0;
}

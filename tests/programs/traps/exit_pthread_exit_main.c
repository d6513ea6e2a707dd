// pthread_exit in main lets the others finish; the status is then 0.
// expect-exit: 0
// expect-output: worker
#include <pthread.h>
#include <stdio.h>

static void *worker(void *p) {
    sched_yield();
    puts("worker");
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_exit(NULL);
}

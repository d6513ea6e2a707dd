// Detached threads, by attribute and by pthread_detach.
// expect-output: 0
// expect-output: both done
// levels: -O0 -O2
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;

static void *run(void *unused) {
    sem_post(&done);
    return NULL;
}

int main(void) {
    sem_init(&done, 0, 0);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_t a, b;
    pthread_create(&a, &attr, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    printf("%d\n", pthread_detach(b));
    sem_wait(&done);
    sem_wait(&done);
    pthread_attr_destroy(&attr);
    puts("both done");
    return 0;
}

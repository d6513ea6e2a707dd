// Detached threads, pthread_exit from deep inside with a value, thread attributes.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 42
// expect-output: 55
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;

static void *detached(void *p) {
    *(int *)p += 1;
    sem_post(&done);
    return NULL;
}

static void dive(int depth) {
    if (depth == 0) {
        pthread_exit((void *)55);
    }
    dive(depth - 1);
}

static void *diver(void *unused) {
    dive(4);
    return unused;
}

int main(void) {
    static int n = 40;
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, detached, &n);
    pthread_detach(t);
    sem_wait(&done);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, detached, &n);
    pthread_attr_destroy(&attr);
    sem_wait(&done);
    printf("%d\n", n);
    void *r;
    pthread_create(&t, NULL, diver, NULL);
    pthread_join(t, &r);
    printf("%ld\n", (long)r);
    return 0;
}

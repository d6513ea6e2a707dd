// Semaphores.
// expect-output: 1
// expect-output: 2
// expect-output: 3
// expect-output: 4
// expect-output: 5
// expect-output: left 1
// expect-output: try 0 -1 1
// expect-output: timed -1 1
// expect-output: timed 0 try 0
// expect-output: init -1 1
// expect-output: overflow -1 1
// expect-output: destroy 0
// levels: -O0 -O2
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t items, slots;
static int value;

static void *produce(void *unused) {
    for (int i = 1; i <= 5; i++) {
        sem_wait(&slots);
        value = i;
        sem_post(&items);
    }
    return NULL;
}

int main(void) {
    sem_init(&items, 0, 0);
    sem_init(&slots, 0, 1);
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < 5; i++) {
        sem_wait(&items);
        printf("%d\n", value);
        sem_post(&slots);
    }
    pthread_join(thread, NULL);
    int left;
    sem_getvalue(&slots, &left);
    printf("left %d\n", left);
    printf("try %d", sem_trywait(&slots));
    printf(" %d %d\n", sem_trywait(&slots), errno == EAGAIN);
    struct timespec past = {0, 0};
    printf("timed %d", sem_timedwait(&slots, &past));
    printf(" %d\n", errno == ETIMEDOUT);
    sem_post(&slots);
    sem_post(&slots);
    printf("timed %d try %d\n", sem_timedwait(&slots, &past), sem_trywait(&slots));
    sem_t full;
    printf("init %d %d\n", sem_init(&full, 0, 0x80000000u), errno == EINVAL);
    sem_init(&full, 0, SEM_VALUE_MAX);
    printf("overflow %d %d\n", sem_post(&full), errno == EOVERFLOW);
    printf("destroy %d\n", sem_destroy(&full));
    return 0;
}

// Two threads take turns, so the output is the same in every schedule.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: ping 0
// expect-output: pong 0
// expect-output: ping 1
// expect-output: pong 1
// expect-output: ping 2
// expect-output: pong 2
// expect-output: ping 3
// expect-output: pong 3
// expect-output: ping 4
// expect-output: pong 4
// expect-output: 1
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;

static void *worker(void *unused) {
    for (int i = 0; i < 5; i++) {
        sem_wait(&ping);
        printf("pong %d\n", i);
        sem_post(&pong);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 1);
    pthread_create(&t, NULL, worker, NULL);
    for (int i = 0; i < 5; i++) {
        sem_wait(&pong);
        printf("ping %d\n", i);
        sem_post(&ping);
    }
    pthread_join(t, NULL);
    int value;
    sem_getvalue(&pong, &value);
    printf("%d\n", value);
    return 0;
}

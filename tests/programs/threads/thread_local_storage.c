// Each thread has its own copy; addresses differ; another thread may write one through a pointer.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 1002 71 7 fresh
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static _Thread_local int mine = 7;
static _Thread_local char text[8] = "fresh";
static int *published;
static sem_t ready, changed;

static void *owner(void *unused) {
    (void)unused;
    mine = 8;
    published = &mine;
    sem_post(&ready);
    sem_wait(&changed);
    return (void *)(long)(mine * 100 + text[0]);
}

static void *other(void *unused) {
    (void)unused;
    sem_wait(&ready);
    int differ = published != &mine;
    *published += 1;
    text[0] = 'F';
    sem_post(&changed);
    return (void *)(long)(mine * 10 + differ);
}

int main(void) {
    pthread_t a, b;
    void *x, *y;
    sem_init(&ready, 0, 0);
    sem_init(&changed, 0, 0);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, &x);
    pthread_join(b, &y);
    printf("%ld %ld %d %s\n", (long)x, (long)y, mine, text);
    return 0;
}

// The lower fork first: no deadlock.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 3 3 3 3 3 .
#include <pthread.h>
#include <stdio.h>

enum { N = 5 };

static pthread_mutex_t forks[N];
static int meals[N];

static void *philosopher(void *p) {
    int i = (int)(long)p, left = i, right = (i + 1) % N;
    int first = left < right ? left : right, second = left < right ? right : left;
    for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        meals[i]++;
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&forks[i], NULL);
    }
    for (long i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], NULL);
        printf("%d ", meals[i]);
    }
    printf(".\n");
    return 0;
}

// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 14850 4950 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N = 100 };

static atomic_int running, most, sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ids[N];

static void *worker(void *p) {
    atomic_fetch_add(&running, 1);
    long me = (long)p;
    pthread_mutex_lock(&m);
    ids[me] = (int)me * 2;
    pthread_mutex_unlock(&m);
    atomic_fetch_add(&sum, (int)me);
    atomic_fetch_sub(&running, 1);
    return p;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, worker, (void *)i);
    }
    long total = 0;
    for (int i = 0; i < N; i++) {
        void *r;
        pthread_join(t[i], &r);
        total += (long)r + ids[i];
    }
    printf("%ld %d %d\n", total, sum, running);
    return 0;
}

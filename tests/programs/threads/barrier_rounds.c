// Threads that work in rounds: nobody is ever a round ahead.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 4 1
// expect-output: 4 1
// expect-output: 4 1
// expect-output: 4 1
// expect-output: 4 1
// expect-output: 4 1
// expect-output: 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 6 };

static pthread_barrier_t barrier;
static atomic_int in_round[ROUNDS], last[ROUNDS], early;

static void *worker(void *unused) {
    for (int r = 0; r < ROUNDS; r++) {
        atomic_fetch_add(&in_round[r], 1);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            atomic_fetch_add(&last[r], 1);
        }
        if (atomic_load(&in_round[r]) != THREADS) {
            atomic_store(&early, 1);
        }
    }
    return unused;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&t[i], NULL, worker, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    for (int r = 0; r < ROUNDS; r++) {
        printf("%d %d\n", in_round[r], last[r]);
    }
    printf("%d\n", early);
    return 0;
}

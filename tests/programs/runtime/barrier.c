// Barriers: nobody goes on before all have come, one thread of each round is told so.
// expect-output: 1
// expect-output: 0
// expect-output: arrived 12 serial 4 early 0
// expect-output: 0
// levels: -O0 -O2
// seeds: 4
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 4 };
static pthread_barrier_t barrier;
static atomic_int arrived, serial, early;

static void *run(void *unused) {
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_fetch_add(&arrived, 1);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            atomic_fetch_add(&serial, 1);
        }
        if (atomic_load(&arrived) < round * THREADS) {
            early = 1;
        }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    printf("%d\n", pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    printf("%d\n", pthread_barrier_init(&barrier, NULL, THREADS));
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, run, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("arrived %d serial %d early %d\n", arrived, serial, early);
    printf("%d\n", pthread_barrier_destroy(&barrier));
    return 0;
}

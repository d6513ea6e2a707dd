// A read-write lock: writers are alone, readers see whole updates.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 10 -10 0 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long a, b;
static atomic_int torn, writers, overlap;

static void *writer(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_wrlock(&lock);
        if (atomic_fetch_add(&writers, 1) != 0) {
            atomic_store(&overlap, 1);
        }
        a++;
        b--;
        atomic_fetch_sub(&writers, 1);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_rdlock(&lock);
        if (a + b != 0 || atomic_load(&writers) != 0) {
            atomic_store(&torn, 1);
        }
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++) {
        pthread_create(&t[i], NULL, i < 2 ? writer : reader, NULL);
    }
    for (int i = 0; i < 5; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%ld %ld %d %d\n", a, b, torn, overlap);
    return 0;
}

// Read-write locks: many readers or one writer.
// expect-output: 10 10 torn 0
// expect-output: while read: 11
// expect-output: while still read: 11
// expect-output: try free: 0
// expect-output: while written: 10
// expect-output: again: 1 1
// expect-output: timed: 0 0
// expect-output: destroy: 0
// levels: -O0 -O2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b, torn;

static void *write_both(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_wrlock(&lock);
        a++;
        b++;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *read_both(void *unused) {
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_rdlock(&lock);
        int differ = a != b;
        pthread_rwlock_unlock(&lock);
        if (differ) {
            torn = 1;
        }
    }
    return NULL;
}

static void *try_both(void *unused) {
    long result = 0;
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        result += 1;
        pthread_rwlock_unlock(&lock);
    }
    if (pthread_rwlock_trywrlock(&lock) == EBUSY) {
        result += 10;
    }
    return (void *)result;
}

static long by_other(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, try_both, NULL);
    pthread_join(thread, &result);
    return (long)result;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, write_both, NULL);
    pthread_create(&threads[1], NULL, write_both, NULL);
    pthread_create(&threads[2], NULL, read_both, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d %d torn %d\n", a, b, torn);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    printf("while read: %ld\n", by_other());
    pthread_rwlock_unlock(&lock);
    printf("while still read: %ld\n", by_other());
    pthread_rwlock_unlock(&lock);
    printf("try free: %d\n", pthread_rwlock_trywrlock(&lock));
    printf("while written: %ld\n", by_other());
    printf("again: %d %d\n", pthread_rwlock_wrlock(&lock) == EDEADLK, pthread_rwlock_rdlock(&lock) == EDEADLK);
    pthread_rwlock_unlock(&lock);
    struct timespec until = {0, 0};
    printf("timed: %d", pthread_rwlock_timedrdlock(&lock, &until));
    pthread_rwlock_unlock(&lock);
    printf(" %d\n", pthread_rwlock_timedwrlock(&lock, &until));
    pthread_rwlock_unlock(&lock);
    printf("destroy: %d\n", pthread_rwlock_destroy(&lock));
    return 0;
}

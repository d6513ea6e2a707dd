// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 1 1 1 1
// expect-output: 0 0 0
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;

static void *worker(void *unused) {
    printf("%d %d %d %d\n", pthread_mutex_trylock(&m) == EBUSY, pthread_rwlock_tryrdlock(&l) == 0, pthread_rwlock_trywrlock(&l) == EBUSY,
           sem_trywait(&s) == -1);
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_mutex_lock(&m);
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&l);
    printf("%d %d %d\n", pthread_mutex_trylock(&m), pthread_rwlock_trywrlock(&l), pthread_mutex_unlock(&m));
    pthread_rwlock_unlock(&l);
    return 0;
}

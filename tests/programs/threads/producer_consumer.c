// One producer, one consumer, a mutex and a condition variable.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 44281
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int slot, full, done;

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= 10; i++) {
        pthread_mutex_lock(&m);
        while (full) {
            pthread_cond_wait(&changed, &m);
        }
        slot = i;
        full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    while (full) {
        pthread_cond_wait(&changed, &m);
    }
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    long sum = 0;
    for (;;) {
        pthread_mutex_lock(&m);
        while (!full && !done) {
            pthread_cond_wait(&changed, &m);
        }
        if (!full) {
            pthread_mutex_unlock(&m);
            return (void *)sum;
        }
        sum = sum * 3 + slot;
        full = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t p, c;
    void *sum;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, &sum);
    printf("%ld\n", (long)sum);
    return 0;
}

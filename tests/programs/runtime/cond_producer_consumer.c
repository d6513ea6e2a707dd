// A bounded buffer with two conditions.
// expect-output: 1090
// expect-output: 0 0
// levels: -O0 -O2
// seeds: 1 2 3
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 2, ITEMS = 10 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], used, next_in, next_out;

static void put(int x) {
    pthread_mutex_lock(&mutex);
    while (used == SIZE) {
        pthread_cond_wait(&not_full, &mutex);
    }
    buffer[next_in] = x;
    next_in = (next_in + 1) % SIZE;
    used++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void) {
    pthread_mutex_lock(&mutex);
    while (used == 0) {
        pthread_cond_wait(&not_empty, &mutex);
    }
    int x = buffer[next_out];
    next_out = (next_out + 1) % SIZE;
    used--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return x;
}

static void *produce(void *first) {
    for (int i = 0; i < ITEMS; i++) {
        put((int)(long)first + i);
    }
    return NULL;
}

static void *consume(void *unused) {
    long sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        sum += take();
    }
    return (void *)sum;
}

int main(void) {
    pthread_t producers[2], consumers[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&producers[i], NULL, produce, (void *)(long)(100 * i));
        pthread_create(&consumers[i], NULL, consume, NULL);
    }
    long sum = 0;
    for (int i = 0; i < 2; i++) {
        void *part;
        pthread_join(producers[i], NULL);
        pthread_join(consumers[i], &part);
        sum += (long)part;
    }
    printf("%ld\n", sum);
    printf("%d %d\n", pthread_cond_destroy(&not_full), pthread_cond_destroy(&not_empty));
    return 0;
}

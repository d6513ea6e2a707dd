// Three producers, two consumers, a ring of four.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 24 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 4, PRODUCERS = 3, CONSUMERS = 2, EACH = 8 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[SIZE];
    unsigned head, tail;
} ring = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};
static int seen[PRODUCERS * EACH];

static void put(int v) {
    pthread_mutex_lock(&ring.lock);
    while (ring.tail - ring.head == SIZE) {
        pthread_cond_wait(&ring.not_full, &ring.lock);
    }
    ring.items[ring.tail++ % SIZE] = v;
    pthread_cond_signal(&ring.not_empty);
    pthread_mutex_unlock(&ring.lock);
}

static int take(void) {
    pthread_mutex_lock(&ring.lock);
    while (ring.tail == ring.head) {
        pthread_cond_wait(&ring.not_empty, &ring.lock);
    }
    int v = ring.items[ring.head++ % SIZE];
    assert(ring.tail - ring.head < SIZE);
    pthread_cond_broadcast(&ring.not_full);
    pthread_mutex_unlock(&ring.lock);
    return v;
}

static void *producer(void *p) {
    long which = (long)p;
    for (int i = 0; i < EACH; i++) {
        put((int)which * EACH + i);
    }
    return NULL;
}

static void *consumer(void *p) {
    (void)p;
    long n = 0;
    for (;;) {
        int v = take();
        if (v < 0) {
            return (void *)n;
        }
        seen[v]++;
        n++;
    }
}

int main(void) {
    pthread_t p[PRODUCERS], c[CONSUMERS];
    for (long i = 0; i < PRODUCERS; i++) {
        pthread_create(&p[i], NULL, producer, (void *)i);
    }
    for (int i = 0; i < CONSUMERS; i++) {
        pthread_create(&c[i], NULL, consumer, NULL);
    }
    for (int i = 0; i < PRODUCERS; i++) {
        pthread_join(p[i], NULL);
    }
    for (int i = 0; i < CONSUMERS; i++) {
        put(-1);
    }
    long total = 0;
    for (int i = 0; i < CONSUMERS; i++) {
        void *n;
        pthread_join(c[i], &n);
        total += (long)n;
    }
    int once = 1;
    for (int i = 0; i < PRODUCERS * EACH; i++) {
        once &= seen[i] == 1;
    }
    printf("%ld %d\n", total, once);
    return 0;
}

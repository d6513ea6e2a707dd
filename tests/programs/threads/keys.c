// Thread-specific data with destructors, which may set values again.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 2 1
// expect-output: 4 3
// expect-output: 6 6
// expect-output: main 3 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t heap_key, again_key, plain_key;
static int freed, rounds;

static void release(void *p) {
    freed += *(int *)p;
    free(p);
}

static void again(void *p) {
    rounds++;
    if (rounds < 3) {
        pthread_setspecific(again_key, p);
    }
}

static void *worker(void *p) {
    int *mine = malloc(sizeof *mine);
    *mine = (int)(long)p;
    pthread_setspecific(heap_key, mine);
    pthread_setspecific(plain_key, p);
    if ((long)p == 3) {
        pthread_setspecific(again_key, p);
    }
    return (void *)((long)pthread_getspecific(plain_key) + *(int *)pthread_getspecific(heap_key));
}

int main(void) {
    pthread_key_create(&heap_key, release);
    pthread_key_create(&again_key, again);
    pthread_key_create(&plain_key, NULL);
    pthread_setspecific(plain_key, "main");
    for (long i = 1; i <= 3; i++) {
        pthread_t t;
        void *r;
        pthread_create(&t, NULL, worker, (void *)i);
        pthread_join(t, &r);
        printf("%ld %d\n", (long)r, freed);
    }
    printf("%s %d %d\n", (char *)pthread_getspecific(plain_key), rounds, pthread_getspecific(heap_key) == NULL);
    return 0;
}

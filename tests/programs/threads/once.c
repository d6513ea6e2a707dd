// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 4 3 2 1 1
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, *table;

static void initialise(void) {
    static int storage[4] = {4, 3, 2, 1};
    calls++;
    table = storage;
}

static void *worker(void *p) {
    pthread_once(&once, initialise);
    return (void *)(long)table[(long)p];
}

int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++) {
        pthread_create(&t[i], NULL, worker, (void *)i);
    }
    for (int i = 0; i < 4; i++) {
        void *r;
        pthread_join(t[i], &r);
        printf("%ld ", (long)r);
    }
    printf("%d\n", calls);
    return 0;
}

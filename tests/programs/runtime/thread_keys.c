// Thread-specific data: values per thread, destructors at the end of a thread, several rounds of them.
// expect-output: 0 0
// expect-output: fresh 1
// expect-output: own 2
// expect-output: destroy 2 1
// expect-output: fresh 1
// expect-output: own 3
// expect-output: destroy 3 1
// expect-output: main 1 rounds 8
// expect-output: delete 0
// levels: -O0 -O2
#include <pthread.h>
#include <stdio.h>

static pthread_key_t plain, chained;
static int rounds;

static void destroy(void *value) { printf("destroy %ld %d\n", (long)value, pthread_getspecific(plain) == NULL); }

static void again(void *value) {
    rounds++;
    pthread_setspecific(chained, value);
}

static void *run(void *argument) {
    printf("fresh %d\n", pthread_getspecific(plain) == NULL);
    pthread_setspecific(plain, argument);
    pthread_setspecific(chained, argument);
    printf("own %ld\n", (long)pthread_getspecific(plain));
    return NULL;
}

int main(void) {
    printf("%d %d\n", pthread_key_create(&plain, destroy), pthread_key_create(&chained, again));
    pthread_setspecific(plain, (void *)1);
    for (long i = 2; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, run, (void *)i);
        pthread_join(thread, NULL);
    }
    printf("main %ld rounds %d\n", (long)pthread_getspecific(plain), rounds);
    printf("delete %d\n", pthread_key_delete(plain));
    return 0;
}

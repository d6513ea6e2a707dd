// pthread_create, join with results, self and equal.
// expect-output: 000
// expect-output: 0 0 1
// expect-output: 0 10 1
// expect-output: 0 200 1
// expect-output: 0 1
// levels: -O0 -O2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t seen[3];

static void *run(void *argument) {
    long i = (long)argument;
    seen[i] = pthread_self();
    if (i == 2) {
        pthread_exit((void *)200);
    }
    return (void *)(i * 10);
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) {
        printf("%d", pthread_create(&threads[i], NULL, run, (void *)i));
    }
    printf("\n");
    for (int i = 0; i < 3; i++) {
        void *result;
        int error = pthread_join(threads[i], &result);
        printf("%d %ld %d\n", error, (long)result, pthread_equal(threads[i], seen[i]) != 0);
    }
    printf("%d %d\n", pthread_equal(threads[0], threads[1]), pthread_join(pthread_self(), NULL) == EDEADLK);
    return 0;
}

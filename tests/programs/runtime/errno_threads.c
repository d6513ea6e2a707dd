// errno is each thread's own.
// expect-output: 33 0
// expect-output: 1
// levels: -O0 -O2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *other(void *unused) {
    int before = errno;
    errno = 5;
    return (void *)(long)before;
}

int main(void) {
    errno = 33;
    pthread_t thread;
    void *before;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, &before);
    printf("%d %ld\n", errno, (long)before);
    strtol("99999999999999999999", NULL, 10);
    printf("%d\n", errno == ERANGE);
    return 0;
}

// Each thread has a generator of its own with the fixed seed: what it gets does not depend on the others.
// native: no
// expect-output: 1804289383 1804289383
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *other(void *unused) { return (void *)(long)rand(); }

int main(void) {
    int mine = rand();
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, &result);
    printf("%d %ld\n", mine, (long)result);
    return 0;
}

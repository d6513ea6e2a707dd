// Unprotected increments: taking turns at every access loses updates, and deterministically so.
// expect-output: 3
#include <pthread.h>
#include <stdio.h>

static volatile int n;

static void *worker(void *unused) {
    for (int i = 0; i < 3; i++) {
        n = n + 1;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", n);
    return 0;
}

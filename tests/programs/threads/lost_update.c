// Unprotected increments: taking turns at every access loses updates.
// expect-output: lost
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
    puts(n < 6 ? "lost" : "all there");
    return 0;
}

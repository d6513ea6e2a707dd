// Sections and functions that SV-COMP declares atomic, also when clang optimises.
// levels: -O0 -O1 -O2 -O3
// seeds: 1 2 3 4
// expect-output: 30 30
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int a, b;

static void __VERIFIER_atomic_increment(void) {
    int t = b;
    b = t + 1;
}

static void *worker(void *unused) {
    for (int i = 0; i < 10; i++) {
        __VERIFIER_atomic_begin();
        int t = a;
        a = t + 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_increment();
    }
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, worker, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d\n", a, b);
    return 0;
}

// Two threads add each other's number: how far can they get? (The kind of SV-COMP's fib_bench: the largest sum is a Fibonacci number.)
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DTOO_FAR => Violation reach-error
#include <pthread.h>

extern void __VERIFIER_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef ROUNDS
#define ROUNDS 4
#endif
static int i = 1, j = 1;

static void* t1(void* arg) {
    (void)arg;
    for (int k = 0; k < ROUNDS; k++) {
        i += j;
    }
    return 0;
}

static void* t2(void* arg) {
    (void)arg;
    for (int k = 0; k < ROUNDS; k++) {
        j += i;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t1, 0);
    pthread_create(&b, 0, t2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_atomic_begin();
    int far = 1, limit = 1; // the Fibonacci number that can just be reached
    for (int k = 0; k < ROUNDS; k++) {
        far += limit;
        limit += far;
    }
#ifndef TOO_FAR
    limit++;
#endif
    if (i >= limit || j >= limit) {
        __VERIFIER_error();
    }
    __VERIFIER_atomic_end();
    return 0;
}

// Many choices, one after the other, that lead to few states: what they lead to is counted, not the ways there.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful --without partial-order => Safe
// check: sc --search stateful -DWRONG => Violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

enum { CHOICES = 60 };
static int sum;

static void* chooses(void* arg) {
    (void)arg;
    int ones = 0;
    for (int k = 0; k < CHOICES; k++) {
        if (__VERIFIER_nondet_bool()) {
            ones++;
        }
    }
    sum = ones;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, chooses, 0);
    pthread_join(t, 0);
#ifdef WRONG
    assert(sum != CHOICES / 2);
#endif
    assert(sum <= CHOICES);
    return 0;
}

// An atomic function that only a header calls, inlined by the optimiser: nothing says any more where it begins and ends, and Heddle must say so.
// levels: -O2
// expect-exit: 5
// expect-error: atomic_increment.h:3: the optimiser has inlined
#include "parts/atomic_increment.h"
#include <pthread.h>

static void* work(void* arg) {
    increment();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    return counter == 2 ? 0 : 3;
}

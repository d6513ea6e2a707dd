// One thread stops for good and main waits for it: no deadlock.
// expect-exit: 0
// expect-error: an assumption of the program failed at assumption_failed_thread.c:10:
#include <pthread.h>

extern void __VERIFIER_assume(int);
static volatile int x;

static void *worker(void *p) {
    __VERIFIER_assume(x == 4);
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 7;
}

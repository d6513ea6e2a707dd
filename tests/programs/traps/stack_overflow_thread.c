// expect-exit: 1
// expect-error: stack-overflow: the call of down overflows the stack
// expect-error: (thread 1)
// expect-error:   at stack_overflow_thread.c:8:
#include <pthread.h>

static long down(long n) {
    return down(n + 1) + 1;
}

static void *worker(void *p) { return (void *)down((long)p); }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}

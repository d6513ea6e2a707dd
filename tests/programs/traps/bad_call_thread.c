// expect-exit: 1
// expect-error: bad-call: a thread is started at an address that is not a function's
// expect-error:   at bad_call_thread.c:11:
#include <pthread.h>

static int data;

int main(void) {
    pthread_t t;
    void *(*volatile start)(void *) = (void *(*)(void *))&data;
    pthread_create(&t, NULL, start, NULL);
    pthread_join(t, NULL);
    return 0;
}

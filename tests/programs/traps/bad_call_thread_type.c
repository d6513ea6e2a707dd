// expect-exit: 1
// expect-error: bad-call: a thread is started in two, which does not take one argument
// expect-error:   at bad_call_thread_type.c:10:
#include <pthread.h>

static void *two(void *a, void *b) { return a ? a : b; }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, (void *(*)(void *))two, NULL);
    pthread_join(t, NULL);
    return 0;
}

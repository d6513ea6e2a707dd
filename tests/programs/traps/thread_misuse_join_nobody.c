// expect-exit: 1
// expect-error: thread-misuse: join of a thread that does not exist
// expect-error:   at thread_misuse_join_nobody.c:8:
#include <pthread.h>

int main(void) {
    volatile pthread_t t = 99;
    pthread_join(t, NULL);
    return 0;
}

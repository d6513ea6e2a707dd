// A mutex that no other thread can reach.
// expect-exit: 1
// expect-error: deadlock: thread 0 waits for
// expect-error:   at deadlock_self_lock_local.c:11:
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}

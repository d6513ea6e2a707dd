// expect-exit: 1
// expect-error: lock-misuse: pthread_mutex_destroy
// expect-error:   at lock_misuse_destroy.c:10:
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}

// expect-exit: 1
// expect-error: null-dereference:
// expect-error:   at null_mutex.c:8:
#include <pthread.h>

int main(void) {
    pthread_mutex_t *volatile m = NULL;
    pthread_mutex_lock(m);
    return 0;
}

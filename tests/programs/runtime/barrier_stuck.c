// A barrier that one thread never reaches.
// expect-exit: 1
// expect-error: deadlock
#include <pthread.h>

int main(void) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
    return 0;
}

// A reader that wants to become a writer.
// expect-exit: 1
// expect-error: deadlock: thread 0 waits for
// expect-error:   at deadlock_rwlock_upgrade.c:11:
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    return 0;
}

// Another thread's copy, reached through a pointer.
// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of its object (thread 1)
// expect-error:   at oob_thread_local_shared.c:13:
// expect-error: the thread-local variable 'mine' has 12 bytes; the access is at offset 12
// expect-error: declared at oob_thread_local_shared.c:9
#include <pthread.h>

static _Thread_local int mine[3];

static void *worker(void *p) {
    int *theirs = p;
    return (void *)(long)theirs[3];
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, mine);
    pthread_join(t, NULL);
    return 0;
}

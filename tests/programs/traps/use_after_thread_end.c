// The thread-local variable of a thread that has ended.
// expect-exit: 1
// expect-error: read of 4 bytes of
// expect-error:   at use_after_thread_end.c:19:
#include <pthread.h>

static _Thread_local int mine = 3;

static void *worker(void *unused) {
    (void)unused;
    return &mine;
}

int main(void) {
    pthread_t t;
    void *theirs;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &theirs);
    return *(int *)theirs;
}

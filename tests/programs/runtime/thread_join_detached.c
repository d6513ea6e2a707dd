// Joining a detached thread is an error of the program.
// expect-exit: 1
// expect-error: thread-misuse
#include <pthread.h>

static void *run(void *unused) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL);
    return 0;
}

// A thread ends the program while main waits for it.
// expect-exit: 9
// expect-output: handler
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("handler"); }

static void *worker(void *p) {
    (void)p;
    exit(9);
}

int main(void) {
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}

// pthread_exit in main ends only the main thread.
// expect-output: 0
// expect-output: 1
// expect-output: 2
#include <pthread.h>
#include <stdio.h>

static void *run(void *unused) {
    for (int i = 0; i < 3; i++) {
        printf("%d\n", i);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_exit(NULL);
}

// pthread_once and call_once run their function once, and everybody sees what it did.
// expect-output: 43
// expect-output: 43
// expect-output: 43
// levels: -O0 -O2
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static int made, called;

static void make(void) { made += 42; }
static void call(void) { called++; }

static void *run(void *unused) {
    pthread_once(&once, make);
    call_once(&flag, call);
    return (void *)(long)(made + called);
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, run, NULL);
    }
    for (int i = 0; i < 3; i++) {
        void *seen;
        pthread_join(threads[i], &seen);
        printf("%ld\n", (long)seen);
    }
    return 0;
}

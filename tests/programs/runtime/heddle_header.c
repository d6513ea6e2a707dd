// heddle.h, checked and natively.
// expect-output: ready 7
// levels: -O0 -O2
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;

static void *run(void *unused) {
    heddle_yield();
    ready = 7;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    heddle_await(ready != 0);
    unsigned n = heddle_choose(3);
    heddle_assume(n < 3);
    heddle_assume(heddle_choose(1) == 0);
    unsigned long input = heddle_nondet_ulong();
    heddle_assume(input == (unsigned long)(long)input);
    pthread_join(thread, NULL);
    printf("ready %d\n", ready);
    return 0;
}

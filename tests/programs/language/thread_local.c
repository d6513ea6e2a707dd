// Initialised, zero, static in a function, arrays, structs, address taken; one copy per thread.
// levels: -O0 -O1 -O2
// expect-output: 1599113
// expect-output: 1698123
// expect-output: 10 0 abc text 2 1 1
// expect-output: 8
#include <pthread.h>
#include <stdio.h>

static _Thread_local int counter = 10;
static _Thread_local int zero;
_Thread_local struct {
    char name[4];
    const char *text;
    int v[3];
} big = {"abc", "text", {1, 2, 3}};
static _Thread_local int *pointer = NULL;

static int next(void) {
    static _Thread_local int calls;
    return ++calls;
}

static void change(int *p) { *p += 5; }

static void *worker(void *argument) {
    long which = (long)argument;
    counter += (int)which;
    zero -= (int)which;
    big.v[1] = counter;
    big.name[0] = (char)('x' + which);
    pointer = &counter;
    change(pointer);
    next();
    next();
    return (void *)(counter * 100000L + zero * 1000L + big.v[1] * 10 + next());
}

int main(void) {
    pthread_t t[2];
    void *result[2];
    for (long i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], &result[i]);
        printf("%ld\n", (long)result[i]);
    }
    printf("%d %d %s %s %d %d %d\n", counter, zero, big.name, big.text, big.v[1], pointer == NULL, next());
    change(&big.v[2]);
    printf("%d\n", big.v[2]);
    return 0;
}

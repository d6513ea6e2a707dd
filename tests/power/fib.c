// fib_true and fib_false of the POWER paper's Table 1, and the same with joins: two threads add their variables to each other N times; with FALSE the bound is one too low.
// Plain accesses, no fences. (tests/counts/fib.c and fib_join.c count the executions of other tools' versions.)
//
// check: power -DN=4 -DJOIN => Safe complete=1764 blocked=0
// long-check: power -DN=5 -DJOIN => Safe complete=19404 blocked=0
// check: power -DN=5 -DJOIN -DFALSE => Violation assertion
// check: power -DN=3 => Safe blocked=0
// check: power -DN=5 -DFALSE => Violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif

static volatile int i = 1, j = 1;

static void* add_to_i(void* argument) {
    for (int k = 0; k < N; ++k) {
        i = i + j;
    }
    return argument;
}

static void* add_to_j(void* argument) {
    for (int k = 0; k < N; ++k) {
        j = j + i;
    }
    return argument;
}

/// The Fibonacci number with this index.
static int fibonacci(int index) {
    int one = 0, next = 1;
    for (int k = 0; k < index; ++k) {
        const int sum = one + next;
        one = next;
        next = sum;
    }
    return one;
}

int main(void) {
    int bound = fibonacci(2 * (N + 1));
#ifdef FALSE
    bound -= 1;
#endif
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, add_to_i, NULL);
    pthread_create(&threads[1], NULL, add_to_j, NULL);
#ifdef JOIN
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#endif
    assert(i <= bound);
    assert(j <= bound);
    return 0;
}

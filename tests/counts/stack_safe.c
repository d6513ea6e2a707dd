// stack_safe(N) of the POWER paper: one thread pushes N times, another pops N times, under a mutex.
//
// check: power -DN=2 => Safe complete=6 blocked=0
// check: armv8 -DN=2 => Safe complete=6 blocked=0
// check: power -DN=5 => Safe complete=252 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stack[N];
static int top;

static void* push(void* argument) {
    for (int i = 0; i < N; ++i) {
        pthread_mutex_lock(&mutex);
        assert(top < N);
        stack[top++] = i + 1;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void* pop(void* argument) {
    for (int i = 0; i < N; ++i) {
        pthread_mutex_lock(&mutex);
        if (top > 0) {
            assert(stack[--top] != 0);
        }
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){push, pop});
    return 0;
}

// stack_unsafe(N): one thread pushes N elements, another pops N, and nobody locks: the stack underflows (StackUnsafe of the MCR paper's table 4, stack_unsafe of the POWER paper's Table 1).
//
// check: sc,tso,pso --equivalence value => Violation assertion
// check: sc,tso,pso -DLOCKED --equivalence value => Safe complete=6 blocked=0
// check: sc,tso,pso --equivalence trace => Violation assertion
// check: power => Violation assertion
// check: power -DLOCKED => Safe complete=6 blocked=0
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int top, array[N];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int get(atomic_int* from) { return atomic_load_explicit(from, memory_order_relaxed); }
static void set(atomic_int* to, int value) { atomic_store_explicit(to, value, memory_order_relaxed); }

static void push(int value) {
    const int at = get(&top);
    assert(at < N);
    set(&array[at], value);
    set(&top, at + 1);
}

static void pop(void) {
    const int at = get(&top);
    if (at > 0) {
        set(&top, at - 1);
        assert(get(&array[at - 1]) != 0);
        set(&array[at - 1], 0);
    }
}

static void* work(void* argument) {
    for (int i = 0; i < N; ++i) {
#ifdef LOCKED
        pthread_mutex_lock(&mutex);
#endif
        if (index_of(argument) == 0) {
            push(1);
        } else {
            pop();
        }
#ifdef LOCKED
        pthread_mutex_unlock(&mutex);
#endif
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

// Cilk's THE protocol for a deque of tasks: thieves take from the head under a lock, the owner from the tail without, and with the lock only if they may have met.
//
// BROKEN: the owner takes the task although a thief may have it.
//
// check: sc,tso,pso,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation assertion
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { TASKS = 2 };

static const int tasks[TASKS] = {1, 2};
static atomic_int head;
static atomic_int tail = TASKS;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken[TASKS + 1];

static void run(int task) {
    if (task != 0) {
        assert(atomic_fetch_add_explicit(&taken[task], 1, memory_order_relaxed) == 0);
    }
}

static int pop(void) {
    int last = atomic_load_explicit(&tail, memory_order_relaxed) - 1;
    atomic_store(&tail, last);
#ifndef BROKEN
    if (atomic_load(&head) > last) {
        atomic_store(&tail, last + 1);
        pthread_mutex_lock(&mutex);
        atomic_store(&tail, last);
        const int empty = atomic_load(&head) > last;
        if (empty) {
            atomic_store(&tail, last + 1);
        }
        pthread_mutex_unlock(&mutex);
        return empty ? 0 : tasks[last];
    }
#endif
    return last < 0 ? 0 : tasks[last];
}

static int steal(void) {
    pthread_mutex_lock(&mutex);
    const int first = atomic_load(&head);
    atomic_store(&head, first + 1);
    const int met = first + 1 > atomic_load(&tail);
    if (met) {
        atomic_store(&head, first);
    }
    pthread_mutex_unlock(&mutex);
    return met ? 0 : tasks[first];
}

static void* owner(void* argument) {
    run(pop());
    run(pop());
    return argument;
}

static void* thief(void* argument) {
    run(steal());
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){owner, thief});
    return 0;
}

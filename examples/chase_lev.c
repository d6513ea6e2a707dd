// The work-stealing deque of Chase and Lev, with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013): the owner pushes
// and takes at the bottom, thieves steal at the top. The array does not grow here.
//
// All hangs on one fence. The owner lowers the bottom, then looks at the top; a thief looks at the top, then at the bottom.
// Without the owner's fence (BROKEN) its look may come before its store is visible: owner and thief both get the last task. Under
// ra fences mean nothing, so it is broken there in any case.
//
//     ./heddle check examples/chase_lev.c                            Safe
//     ./heddle check examples/chase_lev.c --model tso -- -DBROKEN    Violation: a task is done twice
//
// check: sc,tso,pso,rc11,power => Safe
// check: ra => Violation assertion
// check: sc -DBROKEN => Safe
// check: tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 4, NOTHING = -1, TASKS = 2 };

static atomic_int tasks[SIZE];
static atomic_long top, bottom;

static void push(int task) {
    const long b = atomic_load_explicit(&bottom, memory_order_relaxed);
    const long t = atomic_load_explicit(&top, memory_order_acquire);
    assert(b - t < SIZE);
    atomic_store_explicit(&tasks[b % SIZE], task, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static bool claim(long t) {
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed);
}

static int take(void) {
    const long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_seq_cst);
#endif
    const long t = atomic_load_explicit(&top, memory_order_relaxed);
    int task = NOTHING;
    if (t <= b) {
        task = atomic_load_explicit(&tasks[b % SIZE], memory_order_relaxed);
        if (t < b) {
            return task; // more than one left: no thief comes this far down
        }
        if (!claim(t)) {
            task = NOTHING; // the last one, and a thief was faster
        }
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return task;
}

static int steal(void) {
    const long t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    const long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b) {
        return NOTHING;
    }
    const int task = atomic_load_explicit(&tasks[t % SIZE], memory_order_relaxed);
    return claim(t) ? task : NOTHING;
}

static atomic_int done[TASKS];

static void perform(int task) {
    if (task != NOTHING) {
        const int before = atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed);
        assert(before == 0);
    }
}

static void* owner(void* argument) {
    for (int task = 0; task < TASKS; ++task) {
        push(task);
    }
    for (int i = 0; i < TASKS; ++i) {
        perform(take());
    }
    return argument;
}

static void* thief(void* argument) {
    for (int i = 0; i < TASKS; ++i) {
        perform(steal());
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int task = 0; task < TASKS; ++task) {
        assert(atomic_load(&done[task]) == 1);
    }
    return 0;
}

// Data that two threads use in turns, for ever, with plain accesses. Which of the two has its turn is said by an atomic variable, and whether that orders
// the accesses is a matter of its orders, whatever the machine does.
// check: sc,tso,pso --search stateful --races => Safe
// check: sc,tso,pso --search stateful --races -DGIVE=memory_order_relaxed => Violation data-race
// check: sc,tso,pso --search stateful --races -DTAKE=memory_order_relaxed => Violation data-race
// check: sc,tso,pso --search stateful --races -DGIVE=memory_order_relaxed -DTAKE=memory_order_relaxed -DFENCES => Safe
// check: sc,tso --search stateful -DGIVE=memory_order_relaxed => Safe
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef GIVE
#define GIVE memory_order_release
#endif
#ifndef TAKE
#define TAKE memory_order_acquire
#endif

static atomic_int turn;
static int data[2];

static void* thread(void* arg) {
    const int me = (int)(long)arg;
    for (;;) {
        while (atomic_load_explicit(&turn, TAKE) != me) {
        }
#ifdef FENCES
        atomic_thread_fence(memory_order_acquire);
#endif
        data[0] = (data[0] + data[1] + 1) % 3;
        data[1] = me;
#ifdef FENCES
        atomic_thread_fence(memory_order_release);
#endif
        atomic_store_explicit(&turn, 1 - me, GIVE);
    }
    return 0;
}

int main(void) {
    in_parallel(2, thread);
    return 0;
}

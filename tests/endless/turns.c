// A lock that is handed on, for ever: each thread waits for its turn, uses what the lock guards, and gives the turn to the next. On pso a plain store
// of the turn may be seen before what was written under the lock.
// check: sc,tso --search stateful => Safe
// check: pso --search stateful => Violation assertion
// check: sc,tso,pso --search stateful -DRELEASE => Safe
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { kThreads = 3 };
static atomic_int turn;
static atomic_int guarded;

#ifdef RELEASE
#define GIVE memory_order_release
#else
#define GIVE memory_order_relaxed
#endif

static void* thread(void* arg) {
    const int me = (int)(long)arg;
    for (;;) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != me) {
        }
        assert(atomic_load_explicit(&guarded, memory_order_relaxed) == me);
        atomic_store_explicit(&guarded, (me + 1) % kThreads, memory_order_relaxed);
        atomic_store_explicit(&turn, (me + 1) % kThreads, GIVE);
    }
    return 0;
}

int main(void) {
    in_parallel(kThreads, thread);
    return 0;
}

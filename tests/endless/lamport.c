// Lamport's fast mutual exclusion, taken for ever by two threads.
// check: sc,tso,pso --search stateful -DFENCE => Safe
// check: sc --search stateful => Safe
// check: tso,pso --search stateful => Violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#ifdef FENCE
#define ORDER() atomic_thread_fence(memory_order_seq_cst)
#else
#define ORDER() ((void)0)
#endif

enum { kThreads = 2 };
static atomic_int b[kThreads + 1], x, y;
static atomic_int inside;

static void lock(int i) {
    for (;;) {
        STORE(b[i], 1);
        ORDER();
        STORE(x, i);
        ORDER();
        if (LOAD(y) != 0) {
            STORE(b[i], 0);
            ORDER();
            while (LOAD(y) != 0) {
            }
            continue;
        }
        STORE(y, i);
        ORDER();
        if (LOAD(x) == i) {
            return;
        }
        STORE(b[i], 0);
        ORDER();
        for (int j = 1; j <= kThreads; j++) {
            while (LOAD(b[j])) {
            }
        }
        if (LOAD(y) == i) {
            return;
        }
        while (LOAD(y) != 0) {
        }
    }
}

static void* thread(void* arg) {
    const int me = arg ? 2 : 1;
    for (;;) {
        lock(me);
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        STORE(y, 0);
        ORDER();
        STORE(b[me], 0);
        ORDER();
    }
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, thread, 0);
    pthread_create(&t, 0, thread, (void*)1);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

// Dekker's lock, taken for ever by two threads.
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

static atomic_int wants[2], turn;
static atomic_int inside;

static void* thread(void* arg) {
    const int me = arg != 0;
    for (;;) {
        STORE(wants[me], 1);
        ORDER();
        while (LOAD(wants[1 - me])) {
            if (LOAD(turn) != me) {
                STORE(wants[me], 0);
                while (LOAD(turn) != me) {
                }
                STORE(wants[me], 1);
                ORDER();
            }
        }
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        STORE(turn, 1 - me);
        ORDER();
        STORE(wants[me], 0);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, (void*)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

// A bounded queue under a mutex: what comes out is what went in, in order.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DBARE => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>

enum { kSize = 4, kItems = 3 };
static int items[kSize], head, tail, amount;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }

static void* producer(void* arg) {
    (void)arg;
    for (int k = 1; k <= kItems; k++) {
        lock();
        assert(amount < kSize);
        amount++;
#ifdef BARE
        unlock();
        items[tail] = k;
        lock();
#else
        items[tail] = k;
#endif
        tail = (tail + 1) % kSize;
        unlock();
    }
    return 0;
}

static void* consumer(void* arg) {
    (void)arg;
    int expected = 1;
    for (int k = 0; k < kItems; k++) {
        lock();
        if (amount > 0) {
            assert(items[head] == expected);
            expected++;
            head = (head + 1) % kSize;
            amount--;
        }
        unlock();
    }
    return 0;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){producer, consumer});
    return 0;
}

// Two threads that take a mutex in turns, for ever; and with -DABBA two mutexes in two orders.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DABBA => Violation deadlock
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void* thread(void* arg) {
    for (;;) {
#ifdef ABBA
        pthread_mutex_lock(arg ? &b : &a);
        pthread_mutex_lock(arg ? &a : &b);
#else
        (void)arg;
        pthread_mutex_lock(&a);
#endif
        assert(inside == 0);
        inside = 1;
        inside = 0;
#ifdef ABBA
        pthread_mutex_unlock(arg ? &a : &b);
        pthread_mutex_unlock(arg ? &b : &a);
#else
        pthread_mutex_unlock(&a);
#endif
    }
    return 0;
}

int main(void) {
    in_parallel(2, thread);
    return 0;
}

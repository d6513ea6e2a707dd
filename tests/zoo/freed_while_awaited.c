// An object is freed while another thread waits to read it: who waits reads again and again, so that is a use after free and no deadlock, whatever the thread waits in: the
// library (MUTEX), a loop of its own, or a loop that something else lets it out of, so that it need not have read the object in the iteration that ends it (STOP).
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Violation use-after-free
// check: sc,tso,pso,ra,rc11,power,armv8 -DMUTEX => Violation use-after-free
// check: sc,tso,pso,ra,rc11,power,armv8 -DSTOP => Violation use-after-free
// check: sc,tso,pso --search stateful => Violation use-after-free
// check: sc,tso,pso --search stateful -DMUTEX => Violation use-after-free
// check: sc,tso,pso --search stateful -DSTOP => Violation use-after-free
// check: sc,tso,pso,ra,rc11 --equivalence rf => Violation use-after-free
// check: sc,tso,pso,ra,rc11 --equivalence rf -DMUTEX => Violation use-after-free
// check: sc,tso,pso,ra,rc11 --equivalence rf -DSTOP => Violation use-after-free
// check: sc,tso,pso --equivalence value => Violation use-after-free
// check: sc,tso,pso --equivalence value -DMUTEX => Violation use-after-free
// check: sc,tso,pso --equivalence value -DSTOP => Violation use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef MUTEX
typedef pthread_mutex_t object;
#else
typedef atomic_int object;
#endif

static atomic_int stop;

static void* waiter(void* argument) {
    object* o = argument;
#if defined(MUTEX)
    pthread_mutex_lock(o);
#elif defined(STOP)
    while (!atomic_load(&stop) && !atomic_load(o)) {
    }
#else
    while (!atomic_load(o)) {
    }
#endif
    return NULL;
}

int main(void) {
    object* o = malloc(sizeof *o);
#ifdef MUTEX
    pthread_mutex_init(o, NULL);
    pthread_mutex_lock(o);
#else
    atomic_store(o, 0);
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, o);
    free(o);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}

// One thread writes 1 to a variable and reads it back; the other writes 2 to it, in ways that are hard to see in the code. That the first can read 2
// must be found: partial-order reduction may not take the variable for one that only the first thread accesses (search/stateful/independence.hpp).
//
// check: sc,tso,pso --search stateful -DWAY=1 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=2 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=3 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=4 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=5 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=6 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=7 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=8 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=9 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=10 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=11 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=12 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=13 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=14 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=15 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=16 => Violation assertion
// check: sc,tso,pso --search stateful -DWAY=0 => Safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    atomic_int first, second;
    struct pair* next;
};
static atomic_int x, y;
static struct pair pair;
static atomic_int cells[8];
static atomic_int* _Atomic somewhere;
static atomic_int* const table[2] = {&y, &x};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int one = 1;

// What the first thread works on.
#if WAY == 8
#define MINE (&cells[4])
#elif WAY == 9 || WAY == 10 || WAY == 11
#define MINE (&pair.first)
#elif WAY == 15
#define MINE (&pair.next->first)
#else
#define MINE (&x)
#endif

static void set(atomic_int* p) { atomic_store_explicit(p, 2, memory_order_relaxed); }
static void set_x(void) { set(&x); }
static void (*volatile function)(void) = set_x;
static __attribute__((noinline)) atomic_int* give(int which) { return which ? &x : &y; }
static __attribute__((noinline)) void deep(int n, atomic_int* p) {
    if (n != 0) {
        deep(n - one, p);
        set(p);
    }
}
static __attribute__((noinline)) int look(void) { return one; }
static void* late(void* arg) {
    set(arg);
    return 0;
}

static void* other(void* arg) {
    (void)arg;
#if WAY == 0
    set(&y);
#elif WAY == 1  // by the thread's argument
    set(arg);
#elif WAY == 2  // by what it finds in memory
    set(atomic_load_explicit(&somewhere, memory_order_relaxed));
#elif WAY == 3  // by a constant table
    set(table[one]);
#elif WAY == 4  // by a function that returns it
    set(give(one));
#elif WAY == 5  // by a pointer to a function
    function();
#elif WAY == 6  // in a thread that it starts
    pthread_t t;
    pthread_create(&t, 0, late, &x);
    pthread_join(t, 0);
#elif WAY == 7  // by recursion
    deep(one + 2, &x);
#elif WAY == 8  // by an index
    set(&cells[one + 3]);
#elif WAY == 9  // by going backwards from another member
    atomic_int* p = &pair.second;
    set(p - one);
#elif WAY == 10 // as one of many bytes
    memset((void*)&pair, 2, sizeof pair.first + one - 1);
#elif WAY == 11 // by a pointer in a copied object
    struct pair local = {.next = &pair}, copy;
    memcpy(&copy, &local, sizeof local * (size_t)one);
    set(&copy.next->first);
#elif WAY == 12 // by arithmetic on the bits
    set((atomic_int*)(((uintptr_t)&x ^ (uintptr_t)one) ^ 1));
#elif WAY == 13 // without the lock under which the first thread accesses it
    set(&x);
    pthread_mutex_lock(&m);
    set(&x);
    pthread_mutex_unlock(&m);
#elif WAY == 14 // having tried to take the lock
    if (pthread_mutex_trylock(&m) != 0) {
        set(&x);
    } else {
        pthread_mutex_unlock(&m);
    }
#elif WAY == 16 // after a call in which it stands
    if (look()) {
        set(&x);
    }
#elif WAY == 15 // in an object of the heap
    struct pair* p = pair.next;
    set(&p->first);
#endif
    return 0;
}

int main(void) {
#if WAY == 15
    pair.next = malloc(sizeof(struct pair));
#endif
    atomic_store(&somewhere, &x);
    pthread_t t;
    pthread_create(&t, 0, other, &x);
#if WAY == 13 || WAY == 14
    pthread_mutex_lock(&m);
#endif
    atomic_store_explicit(MINE, 1, memory_order_relaxed);
    const int found = atomic_load_explicit(MINE, memory_order_relaxed);
#if WAY == 13 || WAY == 14
    pthread_mutex_unlock(&m);
#endif
    pthread_join(t, 0);
    assert(found == 1);
    one = 1; // so that these are not known beforehand
    function = set_x;
    atomic_store(&somewhere, &x);
#if WAY == 15
    free(pair.next);
#endif
    return 0;
}

// microscope: the bug of an electron microscope (figure 1 of the MCR paper): a new point is published before its coordinates have been written. Java's
// stores are plain machine stores there, so nothing keeps PSO from it.
//
// check: sc,tso --equivalence value => Safe
// check: pso --equivalence value => Violation assertion
// check: pso -DRELEASE --equivalence value => Safe
// check: sc,tso --equivalence trace => Safe
// check: pso --equivalence trace => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

struct point {
    atomic_int x, y;
};
static struct point points[3] = {{1, 2}, {0, 0}, {0, 0}};
static _Atomic(struct point*) current = &points[0];

static int get(atomic_int* from) { return atomic_load_explicit(from, memory_order_relaxed); }
static void set(atomic_int* to, int value) { atomic_store_explicit(to, value, memory_order_relaxed); }

static void* work(void* argument) {
    if (index_of(argument) == 0) {
        for (int i = 1; i < 3; ++i) {
            struct point* old = atomic_load_explicit(&current, memory_order_relaxed);
            set(&points[i].x, get(&old->x) + 1);
            set(&points[i].y, get(&old->y) + 1);
            atomic_store_explicit(&current, &points[i], PUBLISH);
        }
        return NULL;
    }
    for (int i = 0; i < 2; ++i) {
        struct point* p = atomic_load_explicit(&current, memory_order_acquire);
        assert(get(&p->x) + 1 == get(&p->y));
    }
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

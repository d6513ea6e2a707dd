// The same allocation, large in one execution and small in another: what was right with the large one is not with the small one.
//
// GUARDED: the size travels with the pointer.
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Violation out-of-bounds
// check: sc,tso,pso,ra,rc11,power,armv8 -DGUARDED => Safe
#include "threads.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int small;
static int* _Atomic array;
static atomic_int length;

static void* make(void* argument) {
    const int count = atomic_load(&small) ? 1 : 4;
    int* made = malloc((size_t)count * sizeof *made);
    atomic_store(&length, count);
    atomic_store(&array, made);
    return argument;
}

static void* shrink(void* argument) {
    atomic_store(&small, 1);
    return argument;
}

static void* use(void* argument) {
    int* found = atomic_load(&array);
#ifdef GUARDED
    const int last = found ? atomic_load(&length) - 1 : 0;
#else
    const int last = 3;
#endif
    if (found) {
        found[last] = 7;
    }
    return argument;
}

int main(void) {
    run_all(3, (void* (*const[])(void*)){make, shrink, use});
    free(atomic_load(&array));
    return 0;
}

// Small programs of the POWER paper (Abdulla, Atig, Jonsson, Leonardsson, CAV 2016): load buffering with one dependency (LB+data, Fig. 2), a program
// whose exploration must not block (FIGURE_5), and one reader of two writers (FIGURE_9: three sources, two orders of the writers).
//
// check: power --equivalence trace => Safe complete=4 blocked=0
// check: armv8 --equivalence trace => Safe complete=4 blocked=0
// check: rc11 --equivalence trace => Safe complete=3 blocked=0
// check: power -DBOTH --equivalence trace => Safe complete=3 blocked=0
// check: power -DSYNC --equivalence trace => Safe complete=3 blocked=0
// check: power -DFIGURE_5 --equivalence trace => Safe complete=4 blocked=0
// check: sc,power,armv8 -DFIGURE_9 --equivalence trace => Safe complete=6 blocked=0
// check: power -DFORWARDED --equivalence trace => Safe complete=6 blocked=0
// ARMv8 has one execution more, in which the value that q writes to y is forwarded to its last read before the write is done.
// check: armv8 -DFORWARDED --equivalence trace => Safe complete=7 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#define LOAD(p) atomic_load_explicit(&(p), memory_order_relaxed)
#define STORE(p, v) atomic_store_explicit(&(p), (v), memory_order_relaxed)

static atomic_int x, y;

#if defined FIGURE_5
static void* p(void* argument) {
    const int r = LOAD(y);
    STORE(x, r);
    STORE(x, 2);
    return argument;
}
static void* q(void* argument) {
    STORE(x, 3);
    __asm__ volatile("sync" ::: "memory");
    STORE(y, 1);
    return argument;
}
#elif defined FORWARDED
static void* p(void* argument) {
    STORE(y, LOAD(x));
    return argument;
}
static void* q(void* argument) {
    (void)LOAD(y);
    STORE(y, 2);
    STORE(x, LOAD(y));
    return argument;
}
#elif defined FIGURE_9
static void* p(void* argument) {
    (void)LOAD(x);
    return argument;
}
static void* q(void* argument) {
    STORE(x, 1);
    return argument;
}
static void* r(void* argument) {
    STORE(x, 2);
    return argument;
}
#else
static void* p(void* argument) {
    STORE(y, LOAD(x) + 1);
    return argument;
}
static void* q(void* argument) {
    const int r = LOAD(y);
#ifdef SYNC
    __asm__ volatile("sync" ::: "memory");
#endif
#ifdef BOTH
    STORE(x, r);
#else
    (void)r;
    STORE(x, 1);
#endif
    return argument;
}
#endif

int main(void) {
#ifdef FIGURE_9
    run_all(3, (void* (*const[])(void*)){p, q, r});
#else
    run_all(2, (void* (*const[])(void*)){p, q});
#endif
    return 0;
}

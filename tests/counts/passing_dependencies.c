// What follows an instruction that may go wrong, or may do nothing, on processors.
//
// A thread that divides by what it reads does not wait for that with what it does next: so here the store to y may be seen, and its value come back through q, before x is read. That is
// the only execution in which the division does not fail. (The failing ones are counted for each way in which the thread could have gone on.)
// check: power,armv8 --keep-going --equivalence trace => Violation division-by-zero complete=1
// check: sc --keep-going --equivalence trace => Violation division-by-zero complete=0
//
// With a compare-exchange what it compares with counts as well (COMPARE): whether it stores decides how its thread goes on, so the store to z waits for it.
// check: sc,power -DCOMPARE --equivalence trace => Safe complete=3 blocked=0
// check: armv8 -DCOMPARE --equivalence trace => Safe complete=3 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#define LOAD(p) atomic_load_explicit(&(p), memory_order_relaxed)
#define STORE(p, v) atomic_store_explicit(&(p), (v), memory_order_relaxed)

static atomic_int x, y;

#ifdef COMPARE
static atomic_int z;
static void* p(void* argument) {
    int expected = LOAD(y);
    atomic_compare_exchange_strong_explicit(&x, &expected, 5, memory_order_relaxed, memory_order_relaxed);
    STORE(z, 1);
    return argument;
}
static void* q(void* argument) {
    STORE(y, LOAD(z));
    return argument;
}
#else
static atomic_int quotient;
static void* p(void* argument) {
    const int r = LOAD(x);
    STORE(quotient, 10 / r);
    STORE(y, 1);
    return argument;
}
static void* q(void* argument) {
    STORE(x, LOAD(y));
    return argument;
}
#endif

int main(void) {
    run_all(2, (void* (*const[])(void*)){p, q});
    return 0;
}

// What main does between two joins depends on what the first one gives: it does not wait for both. (The machine's own join, since pthread_join has the result in memory.)
// check: sc,tso,pso --search stateful => Violation assertion
// check: sc,tso,pso --search stateful --without partial-order => Violation assertion
// check: sc,tso,pso --search stateful -DOTHER => Safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void* __heddle_join(uint64_t thread); // threads count from 0, which is main

static atomic_int x, y;
static int special;

static void* answers(void* arg) {
    (void)arg;
    return y == 7 ? NULL : &special;
}

static void* looks(void* arg) {
    (void)arg;
    const int seen = x;
    y = 1;
    assert(seen == 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, answers, 0);
    pthread_create(&b, 0, looks, 0);
    const void* const result = __heddle_join(1);
#ifdef OTHER
    if (result != &special) {
#else
    if (result == &special) {
#endif
        x = 1;
    }
    __heddle_join(2);
    return 0;
}

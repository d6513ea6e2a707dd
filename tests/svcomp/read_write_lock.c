// A lock for readers and writers, made of atomic functions; taken for ever with -DENDLESS.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DENDLESS => Safe
// check: sc,tso,pso --search stateful -DRUDE => Violation assertion
// check: sc --search dpor => Unsupported
#include "../zoo/threads.h"

#include <assert.h>

extern void __VERIFIER_assume(int);

static int writing, readers, x, y;

static void __VERIFIER_atomic_take_write_lock(void) {
#ifdef RUDE
    __VERIFIER_assume(!writing);
#else
    __VERIFIER_assume(!writing && readers == 0);
#endif
    writing = 1;
}
static void __VERIFIER_atomic_take_read_lock(void) {
    __VERIFIER_assume(!writing);
    readers++;
}
static void __VERIFIER_atomic_release_write_lock(void) { writing = 0; }
static void __VERIFIER_atomic_release_read_lock(void) { readers--; }

#ifdef ENDLESS
#define ROUNDS for (;;)
#else
#define ROUNDS for (int k = 0; k < 1; k++)
#endif

static void* writer(void* arg) {
    (void)arg;
    ROUNDS {
        __VERIFIER_atomic_take_write_lock();
        x = !x;
        y = x;
        __VERIFIER_atomic_release_write_lock();
    }
    return 0;
}

static void* reader(void* arg) {
    (void)arg;
    ROUNDS {
        __VERIFIER_atomic_take_read_lock();
        const int a = x;
        assert(a == y);
        __VERIFIER_atomic_release_read_lock();
    }
    return 0;
}

int main(void) {
    run_all(3, (void* (*const[])(void*)){writer, reader, writer});
    return 0;
}

// What others have stored reaches memory before or after an atomic section, never within: it sees one memory from beginning to end, and what it stores itself is there all at once.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful --without delayed-flushing => Safe
// check: sc,tso,pso --search stateful --without partial-order => Safe
// check: sc,tso,pso --search stateful -DAPART => Violation assertion
// check: sc,tso,pso --search stateful -DAPART --without delayed-flushing => Violation assertion
// check: sc,tso --search stateful -DSTORES => Safe
// check: sc,tso --search stateful -DSTORES --without delayed-flushing => Safe
// check: pso --search stateful -DSTORES => Violation assertion
// check: pso --search stateful -DSTORES --without delayed-flushing => Violation assertion
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile int x, y;

static void* writer(void* arg) {
    (void)arg;
    x = 1;
    y = 1;
    return 0;
}

static void* section(void* arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
#ifdef STORES
    x = 2;
    y = 2;
#else
    const int first = x;
#ifdef APART
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#endif
    assert(first == x);
#endif
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, section, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(x == 1 && y == 2));
    return 0;
}

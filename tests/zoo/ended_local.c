// A local variable that has ended, the newest of its thread, and another that stands where it stood. (The search over states numbers locals again, and once
// took the pointer to the first for one to the second.)
// check: sc,tso,pso,ra,rc11 => Violation use-after-return
// check: sc,tso,pso --search stateful => Violation use-after-return
// check: sc,tso,pso --equivalence value => Violation use-after-return
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int*) kept;
static _Atomic(int*) shelf;

static __attribute__((noinline)) void first(void) {
    int x = 1;
    atomic_store(&shelf, &x);
}

static __attribute__((noinline)) int second(void) {
    int y = 2;
    atomic_store(&kept, &y);
    return *atomic_load(&shelf);
}

static void* run(void* arg) {
    (void)arg;
    int below = 0;
    atomic_store(&kept, &below);
    first();
    return second() == 2 ? 0 : arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}

// Two threads that store to each other, with K stores of their own in between: more accesses than ForcedOrder has room for (128), so that what it
// says ends somewhere in the middle of the history. What is in between changes nothing.
//
// check: sc -DK=2 --equivalence value => Safe complete=34 blocked=0
// check: sc -DK=55 --equivalence value => Safe complete=34 blocked=0
// check: sc -DK=80 --equivalence value => Safe complete=34 blocked=0
// check: tso,pso -DK=2 --equivalence value => Safe complete=56 blocked=0
// check: tso,pso -DK=55 --equivalence value => Safe complete=56 blocked=0
// check: tso,pso -DK=80 --equivalence value => Safe complete=56 blocked=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static atomic_int own[2];

static int load(atomic_int* from) { return atomic_load_explicit(from, memory_order_relaxed); }
static void store(atomic_int* to, int value) { atomic_store_explicit(to, value, memory_order_relaxed); }

static void fill(int me) {
    for (int i = 1; i <= K; ++i) {
        store(&own[me], i & 1);
        if (i % 7 == 0) {
            load(&own[me]);
        }
    }
}

static void* first(void* unused) {
    store(&x, 1);
    load(&y);
    fill(0);
    atomic_fetch_xor_explicit(&z, 1, memory_order_relaxed);
    store(&x, 0);
    load(&y);
    return unused;
}

static void* second(void* unused) {
    store(&y, 1);
    load(&x);
    fill(1);
    atomic_fetch_xor_explicit(&z, 1, memory_order_relaxed);
    load(&own[0]);
    store(&y, 2);
    load(&x);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// sieve(N): two threads strike out multiples in one array, racing for what is still unmarked.
//
// check: sc -DN=4 --equivalence trace --no-symmetry => Safe complete=136 blocked=0
// check: tso -DN=4 --equivalence trace --no-symmetry => Safe complete=208 blocked=0
// check: ra,rc11 -DN=4 --equivalence trace --no-symmetry => Safe complete=216 blocked=0
// check: sc -DN=5 --equivalence trace --no-symmetry => Safe complete=398 blocked=0
// check: tso -DN=5 --equivalence trace --no-symmetry => Safe complete=1202 blocked=0
// check: ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=1512 blocked=0
// check: sc -DN=6 --equivalence trace --no-symmetry => Safe complete=1592 blocked=0
// check: tso -DN=6 --equivalence trace --no-symmetry => Safe complete=4808 blocked=0
// check: ra,rc11 -DN=6 --equivalence trace --no-symmetry => Safe complete=6048 blocked=0
// check: sc -DN=7 --equivalence trace --no-symmetry => Safe complete=2688 blocked=0
// check: tso -DN=7 --equivalence trace --no-symmetry => Safe complete=11526 blocked=0
// check: ra,rc11 -DN=7 --equivalence trace --no-symmetry => Safe complete=17064 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int array[N];

static void* work(void* argument) {
    for (int i = 0; i < N; ++i) {
        if (atomic_load_explicit(&array[i], memory_order_acquire) == 0) {
            atomic_store_explicit(&array[i], 1, memory_order_release);
            for (int j = 2 * i + 2; j < N; j += i + 2) {
                atomic_store_explicit(&array[j], 2, memory_order_release);
            }
        }
    }
    return argument;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

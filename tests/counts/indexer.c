// indexer(N): N threads enter four values each into a hash table; the first collision comes with the twelfth thread.
//
// check: sc,tso,pso,ra,rc11 -DN=11 --equivalence trace --no-symmetry => Safe complete=1 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=12 --equivalence trace --no-symmetry => Safe complete=8 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=13 --equivalence trace --no-symmetry => Safe complete=64 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=14 --equivalence trace --no-symmetry => Safe complete=512 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=15 --equivalence trace --no-symmetry => Safe complete=4096 blocked=0
// check: power -DN=12 --no-symmetry => Safe complete=8 blocked=0
#include "../zoo/threads.h"

#include <stdatomic.h>

#ifndef N
#define N 3
#endif

enum { SIZE = 128, VALUES = 4 };

static atomic_int table[SIZE];

static void* work(void* argument) {
    for (int i = 0; i < VALUES; ++i) {
        const int w = i * 11 + index_of(argument);
        int h = (w * 7) % SIZE;
        for (int expected = 0; !atomic_compare_exchange_strong(&table[h], &expected, w); expected = 0) {
            h = (h + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void) {
    in_parallel(N, work);
    return 0;
}

// lockinc(N): N threads, a counter under a mutex. Waiting for the mutex is not explored: N! orders and nothing blocked.
//
// check: sc,tso,pso,ra,rc11 -DN=2 --equivalence trace --no-symmetry => Safe complete=2 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=3 --equivalence trace --no-symmetry => Safe complete=6 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=5 --equivalence trace --no-symmetry => Safe complete=120 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=7 --equivalence trace --no-symmetry => Safe complete=5040 blocked=0
// check: sc,tso,pso,ra,rc11 -DN=8 --equivalence trace --no-symmetry => Safe complete=40320 blocked=0
// long-check: sc,tso,pso,ra,rc11 -DN=9 --equivalence trace --no-symmetry => Safe complete=362880 blocked=0
#include "../zoo/threads.h"

#include <assert.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* argument) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    in_parallel(N, work);
#ifndef NO_JOIN
    assert(counter == N);
#endif
    return 0;
}

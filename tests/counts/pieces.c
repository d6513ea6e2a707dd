// pieces: one thread writes a pair of integers, another reads them one after the other. -DWHOLE: written in one piece of eight bytes. The search
// has to find out by itself that the pair is two locations; then both programs have the same executions.
//
// check: sc,tso,pso,ra => Safe complete=4 blocked=0
// check: sc,tso,pso,ra -DWHOLE => Safe complete=4 blocked=0
// check: rc11 -DWHOLE => Violation data-race
#include "../zoo/threads.h"

#include <stdint.h>

static union {
    uint64_t whole;
    struct {
        int first, second;
    };
} pair;
static volatile int seen;

static void* write_pair(void* argument) {
#ifdef WHOLE
    pair.whole = UINT64_C(2) << 32 | 1;
#else
    pair.first = 1;
    pair.second = 2;
#endif
    return argument;
}

static void* read_pair(void* argument) {
    const int first = pair.first;
    const int second = pair.second;
    seen = first + second;
    return argument;
}

int main(void) {
    run_all(2, (void* (*const[])(void*)){write_pair, read_pair});
    return 0;
}

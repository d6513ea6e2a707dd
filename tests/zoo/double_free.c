// Two threads shut the same thing down. "Is it there? Free it, and note that it is gone" is two steps (BROKEN): both may find it
// there. Taking the pointer out by an exchange gives it to one of them.
//
// check: sc,tso,pso,ra,rc11 => Safe complete=2
// check: sc,tso,pso,ra -DBROKEN => Violation double-free
// check: rc11,power,armv8 -DBROKEN => Violation double-free,data-race
#include "threads.h"

#include <stdatomic.h>
#include <stdlib.h>

static void* _Atomic buffer;

static void* shut_down(void* argument) {
#ifdef BROKEN
    void* mine = atomic_load(&buffer);
    atomic_store(&buffer, NULL);
#else
    void* mine = atomic_exchange(&buffer, NULL);
#endif
    free(mine); // freeing NULL is nothing
    return argument;
}

int main(void) {
    atomic_init(&buffer, malloc(16));
    in_parallel(2, shut_down);
    return 0;
}

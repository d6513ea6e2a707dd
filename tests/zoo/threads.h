// What the programs of the zoo share: starting threads and waiting for them. Not a program itself.
#pragma once

#include <pthread.h>
#include <stdint.h>

enum { MOST_THREADS = 20 };

/// Runs bodies[0] .. bodies[count - 1], each in a thread of its own, and waits for all of them. A body gets its index. With -DNO_JOIN main ends
/// without waiting, as in the programs that other tools were measured on.
static inline void run_all(int count, void* (*const bodies[])(void*)) {
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < count; ++i) {
        // The index travels in the pointer itself: no memory is shared that the program under test did not ask for.
        pthread_create(&threads[i], NULL, bodies[i], (void*)(intptr_t)i);
    }
#ifndef NO_JOIN
    for (int i = 0; i < count; ++i) {
        pthread_join(threads[i], NULL);
    }
#endif
}

/// `count` threads that all run `body`.
static inline void in_parallel(int count, void* (*body)(void*)) {
    void* (*bodies[MOST_THREADS])(void*);
    for (int i = 0; i < count; ++i) {
        bodies[i] = body;
    }
    run_all(count, bodies);
}

static inline int index_of(void* argument) { return (int)(intptr_t)argument; }

/// What a processor is told in a spin loop.
static inline void pause_cpu(void) {
#if defined(__x86_64__)
    __asm__ volatile("pause");
#endif
}

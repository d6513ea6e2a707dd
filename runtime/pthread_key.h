// What the end of a thread does for its thread-specific data (pthread_key.c).
#ifndef HEDDLE_RUNTIME_PTHREAD_KEY_H
#define HEDDLE_RUNTIME_PTHREAD_KEY_H

#include "internal.h"

/// No value at or above this index was ever set by this thread.
extern _Thread_local uint32_t __heddle_key_values_end;

void run_destructors_of_values(void) INTERNAL(run_destructors_of_values);

/// Calls the destructors of this thread's values, at most PTHREAD_DESTRUCTOR_ITERATIONS rounds. Most threads have none, and a function that has the address of a thread-local
/// variable makes it first of all: so that is asked here.
static inline void run_key_destructors(void) {
    if (__heddle_key_values_end > 0) {
        run_destructors_of_values();
    }
}

#endif

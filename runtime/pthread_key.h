// What the end of a thread does for its thread-specific data (pthread_key.c).
#ifndef HEDDLE_RUNTIME_PTHREAD_KEY_H
#define HEDDLE_RUNTIME_PTHREAD_KEY_H

#include "internal.h"

/// Calls the destructors of this thread's values, at most PTHREAD_DESTRUCTOR_ITERATIONS rounds.
void run_key_destructors(void) INTERNAL(run_key_destructors);

#endif

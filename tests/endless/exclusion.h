// What the endless mutual exclusion algorithms share: relaxed accesses, with -DFENCE a fence wherever store buffers would break them. Not a program itself.
#pragma once

#include "../zoo/threads.h"

#include <assert.h>
#include <stdatomic.h>

#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#ifdef FENCE
#define ORDER() atomic_thread_fence(memory_order_seq_cst)
#else
#define ORDER() ((void)0)
#endif

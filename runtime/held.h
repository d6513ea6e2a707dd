// The locks that the calling thread holds: a table of its own, so that asking costs no action.
//
// A lock word says that a lock is taken, the table says what this thread may do about it: whether an unlock is legal, whether a
// relock recurses, whether a condition wait has its mutex. Only a thread's own entries are ever needed: each question is about
// the caller.
#ifndef HEDDLE_RUNTIME_HELD_H
#define HEDDLE_RUNTIME_HELD_H

#include "internal.h"

enum hold { HOLD_NONE = 0, HOLD_EXCLUSIVE, HOLD_SHARED };

/// How this thread holds `lock`.
enum hold held(const void* lock) INTERNAL(held);

/// Notes that the lock was taken for the first time. Pre: held(lock) == HOLD_NONE.
void held_add(const void* lock, enum hold hold) INTERNAL(held_add);

/// One more level of a lock that is held.
void held_again(const void* lock) INTERNAL(held_again);

/// One level less; true when that was the last and the caller must give the lock word back.
bool held_release(const void* lock) INTERNAL(held_release);

#endif

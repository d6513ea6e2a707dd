// Mutexes of all types, and spinlocks.
//
// The lock word (glibc's __lock) is worked by __heddle_lock and __heddle_unlock: one action each, which the search knows as such.
// Who owns the mutex is in the owner's table (held.h), so the type of the mutex (glibc's __kind, where the static initialisers
// put it) is read only in the rare cases where it matters: relocking by the owner, and unlocking by somebody else.
#include "held.h"

#include <errno.h>
#include <pthread.h>

enum { DESTROYED = -1 }; // never the value of a free or owned lock word: a lock of it waits for good

static inline int32_t* word_of(pthread_mutex_t* m) { return &m->__data.__lock; }

// The low bits of __kind are the type; glibc keeps further properties above.
static inline int type_of(const pthread_mutex_t* m) { return __atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED) & 3; }

int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attr) {
    // Plain stores: an initialisation that races with a use is a data race of the program.
    m->__data.__lock = 0;
    m->__data.__kind = attr == NULL ? PTHREAD_MUTEX_DEFAULT : attr->__align & 3;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* m) {
    if (__atomic_load_n(word_of(m), __ATOMIC_RELAXED) != 0) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_mutex_destroy: the mutex is locked or already destroyed");
    }
    __atomic_store_n(word_of(m), DESTROYED, __ATOMIC_RELAXED);
    return 0;
}

/// A lock by the thread that holds the mutex already: done (recursive), EDEADLK (error-checking), or `otherwise`.
static int relock(pthread_mutex_t* m, int otherwise) {
    switch (type_of(m)) {
    case PTHREAD_MUTEX_RECURSIVE:
        held_again(m);
        return 0;
    case PTHREAD_MUTEX_ERRORCHECK:
        return EDEADLK;
    default:
        return otherwise;
    }
}

static int take(pthread_mutex_t* m) {
    __heddle_lock(word_of(m));
    held_add(m, HOLD_EXCLUSIVE);
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t* m) {
    if (held(m) != HOLD_NONE) {
        int result = relock(m, -1);
        if (result >= 0) {
            return result;
        }
        // A normal mutex: the thread waits for itself, and the machine reports the deadlock.
    }
    return take(m);
}

int pthread_mutex_trylock(pthread_mutex_t* m) {
    if (held(m) != HOLD_NONE) {
        int result = relock(m, EBUSY);
        return result == EDEADLK ? EBUSY : result;
    }
    if (!__heddle_trylock(word_of(m))) {
        return EBUSY;
    }
    held_add(m, HOLD_EXCLUSIVE);
    return 0;
}

int pthread_mutex_timedlock(pthread_mutex_t* restrict m, const struct timespec* restrict until) {
    if (held(m) != HOLD_NONE) {
        return relock(m, ETIMEDOUT); // only this thread could release it, so the limit passes
    }
    let_time_pass();
    if (__heddle_trylock(word_of(m))) {
        held_add(m, HOLD_EXCLUSIVE);
        return 0;
    }
    return valid_time(until) ? ETIMEDOUT : EINVAL; // the time is looked at only when there is need to wait
}

int pthread_mutex_clocklock(pthread_mutex_t* restrict m, clockid_t clock, const struct timespec* restrict until) {
    (void)clock;
    return pthread_mutex_timedlock(m, until);
}

int pthread_mutex_unlock(pthread_mutex_t* m) {
    if (held(m) == HOLD_NONE) {
        if (type_of(m) == PTHREAD_MUTEX_RECURSIVE || type_of(m) == PTHREAD_MUTEX_ERRORCHECK) {
            return EPERM;
        }
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_mutex_unlock: the thread does not hold the mutex");
    }
    if (held_release(m)) {
        __heddle_unlock(word_of(m));
    }
    return 0;
}

// Robust mutexes and priority ceilings are not provided (pthread_attr.c refuses them), so no mutex is ever inconsistent or has a
// ceiling.
int pthread_mutex_consistent(pthread_mutex_t* m) {
    (void)m;
    return EINVAL;
}

// Spinlocks: the same lock word, without types.

int pthread_spin_init(pthread_spinlock_t* s, int shared) {
    (void)shared;
    *s = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t* s) {
    if (__atomic_load_n(s, __ATOMIC_RELAXED) != 0) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_spin_destroy: the spinlock is locked or already destroyed");
    }
    __atomic_store_n(s, DESTROYED, __ATOMIC_RELAXED);
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t* s) {
    __heddle_lock((int32_t*)s);
    held_add((const void*)s, HOLD_EXCLUSIVE);
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* s) {
    if (!__heddle_trylock((int32_t*)s)) {
        return EBUSY;
    }
    held_add((const void*)s, HOLD_EXCLUSIVE);
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t* s) {
    if (held((const void*)s) == HOLD_NONE) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_spin_unlock: the thread does not hold the spinlock");
    }
    held_release((const void*)s);
    __heddle_unlock((int32_t*)s);
    return 0;
}

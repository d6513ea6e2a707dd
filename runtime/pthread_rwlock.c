// Read-write locks: one word, the number of readers plus WRITER. Releasing as a reader is an atomic update, so that a later
// writer, which reads the end of the chain of updates, is ordered after every reader.
//
// A thread's repeated read locks are counted in its own table only: readers are not held up by waiting writers (glibc's default),
// so the second one would always succeed, and other threads cannot tell.
#include "held.h"

#include <errno.h>
#include <pthread.h>

#define WRITER 0x80000000u

static inline uint32_t* word_of(pthread_rwlock_t* l) { return &l->__data.__readers; }

int pthread_rwlock_init(pthread_rwlock_t* restrict l, const pthread_rwlockattr_t* restrict attr) {
    (void)attr;
    *word_of(l) = 0;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* l) {
    if (__atomic_load_n(word_of(l), __ATOMIC_RELAXED) != 0) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_rwlock_destroy: the lock is held or already destroyed");
    }
    __atomic_store_n(word_of(l), ~0u, __ATOMIC_RELAXED); // no reader and no writer gets in any more
    return 0;
}

static int take_shared(pthread_rwlock_t* l) {
    __heddle_wait_rmw(word_of(l), 4, HEDDLE_ACQUIRE, HEDDLE_RMW_ADD, 1, HEDDLE_WAIT_LESS, WRITER);
    held_add(l, HOLD_SHARED);
    return 0;
}

static int take_exclusive(pthread_rwlock_t* l) {
    __heddle_wait_rmw(word_of(l), 4, HEDDLE_ACQUIRE, HEDDLE_RMW_XCHG, WRITER, HEDDLE_WAIT_EQUAL, 0);
    held_add(l, HOLD_EXCLUSIVE);
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
    switch (held(l)) {
    case HOLD_EXCLUSIVE:
        return EDEADLK;
    case HOLD_SHARED:
        held_again(l);
        return 0;
    default:
        return take_shared(l);
    }
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) {
    switch (held(l)) {
    case HOLD_EXCLUSIVE:
        return EBUSY;
    case HOLD_SHARED:
        held_again(l);
        return 0;
    default:
        break;
    }
    // Each further round is the doing of another thread that came or went in between, so this ends. The first guess, nobody
    // there, makes the common case one action.
    uint32_t seen = 0;
    do {
        if (__atomic_compare_exchange_n(word_of(l), &seen, seen + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            held_add(l, HOLD_SHARED);
            return 0;
        }
    } while (seen < WRITER);
    return EBUSY;
}

int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
    // Waiting for one's own read lock is a deadlock that glibc does not notice either; the machine reports it.
    return held(l) == HOLD_EXCLUSIVE ? EDEADLK : take_exclusive(l);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
    uint32_t seen = 0;
    if (held(l) != HOLD_NONE ||
        !__atomic_compare_exchange_n(word_of(l), &seen, WRITER, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return EBUSY;
    }
    held_add(l, HOLD_EXCLUSIVE);
    return 0;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* restrict l, const struct timespec* restrict until) {
    if (!valid_time(until)) {
        return EINVAL;
    }
    if (held(l) == HOLD_EXCLUSIVE) {
        return EDEADLK;
    }
    let_time_pass();
    return pthread_rwlock_tryrdlock(l) == 0 ? 0 : ETIMEDOUT;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* restrict l, const struct timespec* restrict until) {
    if (!valid_time(until)) {
        return EINVAL;
    }
    if (held(l) == HOLD_EXCLUSIVE) {
        return EDEADLK;
    }
    let_time_pass();
    return pthread_rwlock_trywrlock(l) == 0 ? 0 : ETIMEDOUT;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* restrict l, clockid_t clock, const struct timespec* restrict until) {
    (void)clock;
    return pthread_rwlock_timedrdlock(l, until);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* restrict l, clockid_t clock, const struct timespec* restrict until) {
    (void)clock;
    return pthread_rwlock_timedwrlock(l, until);
}

int pthread_rwlock_unlock(pthread_rwlock_t* l) {
    enum hold hold = held(l);
    if (hold == HOLD_NONE) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_rwlock_unlock: the thread does not hold the lock");
    }
    if (!held_release(l)) {
        return 0;
    }
    if (hold == HOLD_EXCLUSIVE) {
        __atomic_store_n(word_of(l), 0, __ATOMIC_RELEASE);
    } else {
        __atomic_fetch_sub(word_of(l), 1, __ATOMIC_RELEASE);
    }
    return 0;
}

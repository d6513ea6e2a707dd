// POSIX semaphores without names: the first word of sem_t is the value.
#include "internal.h"

#include <errno.h>
#include <semaphore.h>

#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 0x7fffffff
#endif

static inline uint32_t* value_of(sem_t* s) { return (uint32_t*)(void*)s; }

int sem_init(sem_t* s, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) {
        return fail_with(EINVAL);
    }
    *value_of(s) = value;
    return 0;
}

int sem_destroy(sem_t* s) {
    (void)s; // a thread that still waits, or comes later, shows as a deadlock or as an access to freed memory
    return 0;
}

int sem_wait(sem_t* s) {
    __heddle_wait_rmw(value_of(s), 4, HEDDLE_ACQUIRE, HEDDLE_RMW_SUB, 1, HEDDLE_WAIT_NOT_EQUAL, 0);
    return 0;
}

/// Takes one if there is one. Each further round is the doing of another thread that changed the value in between, so this ends;
/// the first guess makes a semaphore used as a lock, and one that is empty, one action.
static bool try_take(sem_t* s) {
    uint32_t seen = 1;
    do {
        if (__atomic_compare_exchange_n(value_of(s), &seen, seen - 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            return true;
        }
    } while (seen != 0);
    return false;
}

int sem_trywait(sem_t* s) { return try_take(s) ? 0 : fail_with(EAGAIN); }

int sem_timedwait(sem_t* restrict s, const struct timespec* restrict until) {
    if (!valid_time(until)) {
        return fail_with(EINVAL);
    }
    let_time_pass();
    return try_take(s) ? 0 : fail_with(ETIMEDOUT);
}

int sem_clockwait(sem_t* restrict s, clockid_t clock, const struct timespec* restrict until) {
    (void)clock;
    return sem_timedwait(s, until);
}

int sem_post(sem_t* s) {
    if (__atomic_fetch_add(value_of(s), 1, __ATOMIC_RELEASE) == SEM_VALUE_MAX) {
        __atomic_fetch_sub(value_of(s), 1, __ATOMIC_RELAXED);
        return fail_with(EOVERFLOW);
    }
    return 0;
}

int sem_getvalue(sem_t* restrict s, int* restrict value) {
    *value = (int)__atomic_load_n(value_of(s), __ATOMIC_RELAXED);
    return 0;
}

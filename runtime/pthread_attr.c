// Attribute objects: of threads, mutexes, conditions, rwlocks and barriers. What has a meaning here is honoured (detached
// threads, mutex types); what only concerns speed or other processes is kept and given back; what would change the meaning and is
// not provided (robust mutexes, priority protocols) is refused with ENOTSUP.
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

/// Our view of pthread_attr_t.
struct thread_attr {
    int detach_state;
    int scope;
    int inherit;
    int policy;
    int priority;
    size_t stack_size;
    size_t guard_size;
    void* stack;
};
_Static_assert(sizeof(struct thread_attr) <= sizeof(pthread_attr_t), "must fit into glibc's type");

enum { DEFAULT_STACK = 8 << 20, DEFAULT_GUARD = 4096, MIN_STACK = 16384 };

#define ATTR(a) ((struct thread_attr*)(void*)(a))
#define CONST_ATTR(a) ((const struct thread_attr*)(const void*)(a))

int pthread_attr_init(pthread_attr_t* attr) {
    *ATTR(attr) = (struct thread_attr){.detach_state = PTHREAD_CREATE_JOINABLE,
                                       .scope = PTHREAD_SCOPE_SYSTEM,
                                       .inherit = PTHREAD_INHERIT_SCHED,
                                       .policy = SCHED_OTHER,
                                       .stack_size = DEFAULT_STACK,
                                       .guard_size = DEFAULT_GUARD};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t* attr) {
    (void)attr;
    return 0;
}

/// A pair of functions that keep an int which must be one of two values.
#define TWO_VALUED(name, field, one, other)                                                                                      \
    int pthread_attr_set##name(pthread_attr_t* attr, int value) {                                                                \
        if (value != (one) && value != (other)) {                                                                                \
            return EINVAL;                                                                                                       \
        }                                                                                                                        \
        ATTR(attr)->field = value;                                                                                               \
        return 0;                                                                                                                \
    }                                                                                                                            \
    int pthread_attr_get##name(const pthread_attr_t* restrict attr, int* restrict value) {                                       \
        *value = CONST_ATTR(attr)->field;                                                                                        \
        return 0;                                                                                                                \
    }

TWO_VALUED(detachstate, detach_state, PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED)
TWO_VALUED(inheritsched, inherit, PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED)
TWO_VALUED(scope, scope, PTHREAD_SCOPE_SYSTEM, PTHREAD_SCOPE_SYSTEM)

int pthread_attr_setschedpolicy(pthread_attr_t* attr, int policy) {
    if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR) {
        return EINVAL;
    }
    ATTR(attr)->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t* restrict attr, int* restrict policy) {
    *policy = CONST_ATTR(attr)->policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t* restrict attr, const struct sched_param* restrict param) {
    ATTR(attr)->priority = param->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t* restrict attr, struct sched_param* restrict param) {
    param->sched_priority = CONST_ATTR(attr)->priority;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t* attr, size_t size) {
    if (size < MIN_STACK) {
        return EINVAL;
    }
    ATTR(attr)->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t* restrict attr, size_t* restrict size) {
    *size = CONST_ATTR(attr)->stack_size;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t* attr, size_t size) {
    ATTR(attr)->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t* restrict attr, size_t* restrict size) {
    *size = CONST_ATTR(attr)->guard_size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t* attr, void* stack, size_t size) {
    ATTR(attr)->stack = stack;
    return pthread_attr_setstacksize(attr, size);
}

int pthread_attr_getstack(const pthread_attr_t* restrict attr, void** restrict stack, size_t* restrict size) {
    *stack = CONST_ATTR(attr)->stack;
    return pthread_attr_getstacksize(attr, size);
}

// Mutex attributes: the type in the low bits (pthread_mutex_init copies it), then whether it is shared between processes.

enum { MUTEX_TYPE = 3, MUTEX_SHARED = 4 };

int pthread_mutexattr_init(pthread_mutexattr_t* attr) {
    attr->__align = PTHREAD_MUTEX_DEFAULT;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t* attr) {
    (void)attr;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t* attr, int type) {
    if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) {
        return EINVAL;
    }
    attr->__align = (attr->__align & ~MUTEX_TYPE) | type;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t* restrict attr, int* restrict type) {
    *type = attr->__align & MUTEX_TYPE;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t* attr, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) {
        return EINVAL;
    }
    attr->__align = (attr->__align & ~MUTEX_SHARED) | (shared == PTHREAD_PROCESS_SHARED ? MUTEX_SHARED : 0);
    return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t* restrict attr, int* restrict shared) {
    *shared = (attr->__align & MUTEX_SHARED) != 0 ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t* attr, int robustness) {
    (void)attr;
    return robustness == PTHREAD_MUTEX_STALLED ? 0 : ENOTSUP;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t* attr, int* robustness) {
    (void)attr;
    *robustness = PTHREAD_MUTEX_STALLED;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t* attr, int protocol) {
    (void)attr;
    return protocol == PTHREAD_PRIO_NONE ? 0 : ENOTSUP;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t* restrict attr, int* restrict protocol) {
    (void)attr;
    *protocol = PTHREAD_PRIO_NONE;
    return 0;
}

/// init, destroy, setpshared and getpshared of an attribute type that keeps nothing else.
#define SHARED_ONLY(name, type, word)                                                                                            \
    int pthread_##name##_init(type* attr) {                                                                                      \
        word(attr) = PTHREAD_PROCESS_PRIVATE;                                                                                    \
        return 0;                                                                                                                \
    }                                                                                                                            \
    int pthread_##name##_destroy(type* attr) {                                                                                   \
        (void)attr;                                                                                                              \
        return 0;                                                                                                                \
    }                                                                                                                            \
    int pthread_##name##_setpshared(type* attr, int shared) {                                                                    \
        if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) {                                             \
            return EINVAL;                                                                                                       \
        }                                                                                                                        \
        word(attr) = shared;                                                                                                     \
        return 0;                                                                                                                \
    }                                                                                                                            \
    int pthread_##name##_getpshared(const type* restrict attr, int* restrict shared) {                                           \
        *shared = word(attr);                                                                                                    \
        return 0;                                                                                                                \
    }

#define FIRST_INT(attr) (*(int*)(void*)(attr))

SHARED_ONLY(rwlockattr, pthread_rwlockattr_t, FIRST_INT)
SHARED_ONLY(barrierattr, pthread_barrierattr_t, FIRST_INT)
SHARED_ONLY(condattr, pthread_condattr_t, FIRST_INT)

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t* attr, int kind) {
    (void)attr;
    return kind >= PTHREAD_RWLOCK_PREFER_READER_NP && kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP ? 0 : EINVAL;
}

// Waits with a time limit do not look at a clock, so it does not matter which one.
int pthread_condattr_setclock(pthread_condattr_t* attr, clockid_t clock) {
    (void)attr;
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? 0 : EINVAL;
}

int pthread_condattr_getclock(const pthread_condattr_t* restrict attr, clockid_t* restrict clock) {
    (void)attr;
    *clock = CLOCK_REALTIME;
    return 0;
}

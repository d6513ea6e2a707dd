// Condition variables, exactly as POSIX has them: a signal wakes one of the threads that wait at that moment, whichever (the
// search tries each), never one that comes later; a broadcast wakes all of them; no wake-up is lost, and none is spurious unless
// the user asks.
//
// The waiters of a condition form a list of one-word nodes on their own stacks, newest first, under a lock word in the condition.
// A node holds the link to the next one while it is listed, and WOKEN once its thread may go on. Who unlinks a node owns it until
// it stores WOKEN; after that the waiter may return and the node is gone. The condition itself is not touched after the first
// WOKEN is stored, so that a woken thread may destroy it at once.
#include "held.h"

#include <errno.h>
#include <pthread.h>

struct waiter {
    struct waiter* next;
};

/// Our view of pthread_cond_t; all zero is PTHREAD_COND_INITIALIZER.
struct condition {
    int32_t lock;         ///< guards the list
    struct waiter* first; ///< newest waiter or null; read without the lock by threads that signal
};
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "must fit into glibc's type");

#define WOKEN ((struct waiter*)1)

static inline struct condition* condition_of(pthread_cond_t* c) { return (struct condition*)(void*)c; }

static inline struct waiter* load_link(struct waiter** link) { return __atomic_load_n(link, __ATOMIC_RELAXED); }
static inline void store_link(struct waiter** link, struct waiter* to) { __atomic_store_n(link, to, __ATOMIC_RELAXED); }

static void enlist(struct condition* c, struct waiter* node) {
    __heddle_lock(&c->lock);
    store_link(&node->next, load_link(&c->first));
    store_link(&c->first, node);
    __heddle_unlock(&c->lock);
}

/// Takes the node out of the list; false when a signal has already done so, whose wake-up is then on its way.
static bool withdraw(struct condition* c, struct waiter* node) {
    bool found = false;
    __heddle_lock(&c->lock);
    struct waiter** link = &c->first;
    for (struct waiter* at = load_link(link); at != NULL; at = load_link(link)) {
        if (at == node) {
            store_link(link, load_link(&node->next));
            found = true;
            break;
        }
        link = &at->next;
    }
    __heddle_unlock(&c->lock);
    return found;
}

static void await_wake(struct waiter* node) {
    __heddle_wait_load(&node->next, sizeof node->next, HEDDLE_ACQUIRE, HEDDLE_WAIT_EQUAL, (uintptr_t)WOKEN);
}

/// The wait common to all variants. `limited`: it may end with ETIMEDOUT. Pre and post: the caller holds the mutex.
static int wait_on(struct condition* c, pthread_mutex_t* m, bool limited) {
    if (held(m) == HOLD_NONE) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_cond_wait: the thread does not hold the mutex");
    }
    if (__heddle_spurious_wakeups() != 0 && __heddle_choose(2) == 1) {
        // A spurious wake-up may come at any time, also before any signal; this one covers them all, because between the unlock
        // and the lock other threads may do anything.
        pthread_mutex_unlock(m);
        __heddle_yield();
        pthread_mutex_lock(m);
        return 0;
    }
    struct waiter node;
    int result = 0;
    enlist(c, &node);
    pthread_mutex_unlock(m);
    if (limited) {
        let_time_pass();
    }
    if (limited && withdraw(c, &node)) {
        result = ETIMEDOUT;
    } else {
        await_wake(&node);
    }
    pthread_mutex_lock(m);
    return result;
}

int pthread_cond_init(pthread_cond_t* restrict cond, const pthread_condattr_t* restrict attr) {
    (void)attr;
    struct condition* c = condition_of(cond);
    c->lock = 0;
    c->first = NULL;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t* cond) {
    if (load_link(&condition_of(cond)->first) != NULL) {
        __heddle_fail(HEDDLE_TRAP_LOCK_MISUSE, "pthread_cond_destroy: threads are waiting on the condition variable");
    }
    return 0;
}

int pthread_cond_wait(pthread_cond_t* restrict cond, pthread_mutex_t* restrict m) {
    return wait_on(condition_of(cond), m, false);
}

int pthread_cond_timedwait(pthread_cond_t* restrict cond, pthread_mutex_t* restrict m, const struct timespec* restrict until) {
    return valid_time(until) ? wait_on(condition_of(cond), m, true) : EINVAL;
}

int pthread_cond_clockwait(pthread_cond_t* restrict cond, pthread_mutex_t* restrict m, clockid_t clock,
                           const struct timespec* restrict until) {
    (void)clock;
    return pthread_cond_timedwait(cond, m, until);
}

/// Unlinks one of the waiters, any; an execution without choices takes the one that has waited longest. Null when there is none.
static struct waiter* unlink_one(struct condition* c) {
    unsigned n = 0;
    for (struct waiter* at = load_link(&c->first); at != NULL; at = load_link(&at->next)) {
        n++;
    }
    if (n == 0) {
        return NULL;
    }
    unsigned from_newest = n - 1 - (n > 1 ? (unsigned)__heddle_choose(n) : 0);
    struct waiter** link = &c->first;
    struct waiter* at = load_link(link);
    for (; from_newest > 0; from_newest--) {
        link = &at->next;
        at = load_link(link);
    }
    store_link(link, load_link(&at->next));
    return at;
}

static void wake(struct waiter* node) { __atomic_store_n(&node->next, WOKEN, __ATOMIC_RELEASE); }

// Both look first without the lock, because signalling nobody is common and then costs one action. It adds no behaviour: a thread
// that knows of a waiter knows it through the mutex, which the waiter released after it was listed, and so sees it here.

int pthread_cond_signal(pthread_cond_t* cond) {
    struct condition* c = condition_of(cond);
    if (load_link(&c->first) == NULL) {
        return 0;
    }
    __heddle_lock(&c->lock);
    struct waiter* node = unlink_one(c);
    __heddle_unlock(&c->lock);
    if (node != NULL) {
        wake(node);
    }
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t* cond) {
    struct condition* c = condition_of(cond);
    if (load_link(&c->first) == NULL) {
        return 0;
    }
    __heddle_lock(&c->lock);
    struct waiter* node = load_link(&c->first);
    store_link(&c->first, NULL);
    __heddle_unlock(&c->lock);
    while (node != NULL) {
        struct waiter* next = load_link(&node->next);
        wake(node);
        node = next;
    }
    return 0;
}

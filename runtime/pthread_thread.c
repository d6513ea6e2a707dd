// Threads: creation, joining, ending. Thread ids of the machine count from 0; pthread_t counts from 1, so that 0 is nobody.
#include "pthread_key.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

/// Where the machine starts a thread. Returns by __heddle_thread_exit only.
void __heddle_thread_main(void* (*start)(void*), void* argument);

void __heddle_thread_main(void* (*start)(void*), void* argument) {
    // thrd_create passes functions that return int through here: the machine's result is one 64-bit slot either way.
    void* result = start(argument);
    run_key_destructors();
    __heddle_thread_exit(result);
}

int pthread_create(pthread_t* restrict thread, const pthread_attr_t* restrict attr, void* (*start)(void*),
                   void* restrict argument) {
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attr != NULL) {
        pthread_attr_getdetachstate(attr, &detached);
    }
    uint64_t id = __heddle_spawn(start, argument);
    if (detached == PTHREAD_CREATE_DETACHED) {
        __heddle_detach(id);
    }
    *thread = id + 1;
    return 0;
}

int pthread_join(pthread_t thread, void** result) {
    if (thread == pthread_self()) {
        return EDEADLK;
    }
    void* value = __heddle_join(thread - 1);
    if (result != NULL) {
        *result = value;
    }
    return 0;
}

int pthread_detach(pthread_t thread) {
    __heddle_detach(thread - 1);
    return 0;
}

void pthread_exit(void* result) {
    run_key_destructors();
    __heddle_thread_exit(result);
}

pthread_t pthread_self(void) { return __heddle_self() + 1; }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// Scheduling is the search's business and there is no cancellation, so the rest only has to be accepted.

int pthread_setconcurrency(int level) {
    (void)level;
    return 0;
}

int pthread_getconcurrency(void) { return 0; }

int pthread_setname_np(pthread_t thread, const char* name) {
    (void)thread;
    (void)name;
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
    (void)thread;
    (void)size;
    (void)set;
    return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param* param) {
    (void)thread;
    (void)policy;
    (void)param;
    return 0;
}

static _Thread_local int cancel_state = PTHREAD_CANCEL_ENABLE;
static _Thread_local int cancel_type = PTHREAD_CANCEL_DEFERRED;

int pthread_setcancelstate(int state, int* old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
        return EINVAL;
    }
    if (old != NULL) {
        *old = cancel_state;
    }
    cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int* old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
        return EINVAL;
    }
    if (old != NULL) {
        *old = cancel_type;
    }
    cancel_type = type;
    return 0;
}

void pthread_testcancel(void) {}

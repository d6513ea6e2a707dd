// C11 threads.h, as glibc does it: the types are the pthread ones under another name, only the results are named differently.
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

static int result_of(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) &&
                   sizeof(once_flag) == sizeof(pthread_once_t),
               "glibc's C11 types are its pthread types");

static inline pthread_mutex_t* mutex(mtx_t* m) { return (pthread_mutex_t*)(void*)m; }
static inline pthread_cond_t* condition(cnd_t* c) { return (pthread_cond_t*)(void*)c; }

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
    // The function returns int instead of a pointer: see __heddle_thread_main.
    return result_of(pthread_create(thread, NULL, (void* (*)(void*))(void*)start, argument));
}

int thrd_join(thrd_t thread, int* result) {
    void* value;
    int error = pthread_join(thread, &value);
    if (error == 0 && result != NULL) {
        *result = (int)(uintptr_t)value;
    }
    return result_of(error);
}

int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_exit(int result) { pthread_exit((void*)(uintptr_t)(unsigned)result); }
void thrd_yield(void) { __heddle_yield(); }

int thrd_sleep(const struct timespec* duration, struct timespec* remaining) {
    int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, remaining);
    return error == 0 ? 0 : -2;
}

int mtx_init(mtx_t* m, int type) {
    if ((type & ~(mtx_recursive | mtx_timed)) != mtx_plain) {
        return thrd_error;
    }
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return result_of(pthread_mutex_init(mutex(m), &attr));
}

void mtx_destroy(mtx_t* m) { pthread_mutex_destroy(mutex(m)); }
int mtx_lock(mtx_t* m) { return result_of(pthread_mutex_lock(mutex(m))); }
int mtx_trylock(mtx_t* m) { return result_of(pthread_mutex_trylock(mutex(m))); }
int mtx_unlock(mtx_t* m) { return result_of(pthread_mutex_unlock(mutex(m))); }
int mtx_timedlock(mtx_t* restrict m, const struct timespec* restrict until) {
    return result_of(pthread_mutex_timedlock(mutex(m), until));
}

int cnd_init(cnd_t* c) { return result_of(pthread_cond_init(condition(c), NULL)); }
void cnd_destroy(cnd_t* c) { pthread_cond_destroy(condition(c)); }
int cnd_signal(cnd_t* c) { return result_of(pthread_cond_signal(condition(c))); }
int cnd_broadcast(cnd_t* c) { return result_of(pthread_cond_broadcast(condition(c))); }
int cnd_wait(cnd_t* c, mtx_t* m) { return result_of(pthread_cond_wait(condition(c), mutex(m))); }
int cnd_timedwait(cnd_t* restrict c, mtx_t* restrict m, const struct timespec* restrict until) {
    return result_of(pthread_cond_timedwait(condition(c), mutex(m), until));
}

int tss_create(tss_t* key, tss_dtor_t destroy) { return result_of(pthread_key_create(key, destroy)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return result_of(pthread_setspecific(key, value)); }

void call_once(once_flag* flag, void (*routine)(void)) { pthread_once((pthread_once_t*)(void*)flag, routine); }

// Attribute objects give back what was put in, and refuse what makes no sense.
// expect-output: joinable 1
// expect-output: 0 1
// expect-output: detached 1
// expect-output: 0 1
// expect-output: stack 1048576
// expect-output: guard 8192
// expect-output: policy 1
// expect-output: scope 0
// expect-output: inherit 1
// expect-output: destroy 0
// expect-output: 0 1
// expect-output: type 1 shared 1
// expect-output: clock 0 1
// expect-output: kind 0
// expect-output: barrier 1
// expect-output: cancel 0 1 1
// levels: -O0 -O2
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_attr_t attr;
    int value;
    size_t size;
    pthread_attr_init(&attr);
    pthread_attr_getdetachstate(&attr, &value);
    printf("joinable %d\n", value == PTHREAD_CREATE_JOINABLE);
    printf("%d %d\n", pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED), pthread_attr_setdetachstate(&attr, 99) == EINVAL);
    pthread_attr_getdetachstate(&attr, &value);
    printf("detached %d\n", value == PTHREAD_CREATE_DETACHED);
    printf("%d %d\n", pthread_attr_setstacksize(&attr, 1 << 20), pthread_attr_setstacksize(&attr, 1) == EINVAL);
    pthread_attr_getstacksize(&attr, &size);
    printf("stack %zu\n", size);
    pthread_attr_setguardsize(&attr, 8192);
    pthread_attr_getguardsize(&attr, &size);
    printf("guard %zu\n", size);
    pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
    pthread_attr_getschedpolicy(&attr, &value);
    printf("policy %d\n", value == SCHED_FIFO);
    printf("scope %d\n", pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM));
    pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_getinheritsched(&attr, &value);
    printf("inherit %d\n", value == PTHREAD_EXPLICIT_SCHED);
    printf("destroy %d\n", pthread_attr_destroy(&attr));

    pthread_mutexattr_t mutex;
    pthread_mutexattr_init(&mutex);
    printf("%d %d\n", pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE), pthread_mutexattr_settype(&mutex, 77) == EINVAL);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_gettype(&mutex, &value);
    printf("type %d", value == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_getpshared(&mutex, &value);
    printf(" shared %d\n", value == PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_destroy(&mutex);

    pthread_condattr_t cond;
    pthread_condattr_init(&cond);
    printf("clock %d %d\n", pthread_condattr_setclock(&cond, CLOCK_MONOTONIC), pthread_condattr_setclock(&cond, 77) == EINVAL);
    pthread_rwlockattr_t rwlock;
    pthread_rwlockattr_init(&rwlock);
    printf("kind %d\n", pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NP));
    pthread_barrierattr_t barrier;
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_getpshared(&barrier, &value);
    printf("barrier %d\n", value == PTHREAD_PROCESS_SHARED);
    int old;
    printf("cancel %d", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    printf(" %d %d\n", old == PTHREAD_CANCEL_ENABLE, pthread_setcancelstate(99, NULL) == EINVAL);
    return 0;
}

// Recursive, error-checking and normal mutexes; trylock; the static initialisers.
// expect-output: recursive 0 0 0
// expect-output: checking 0 1 1
// expect-output: normal 0 1
// expect-output: other: trylock 1 1 1
// expect-output: other: unlock 1 1
// expect-output: 0 0 0 1
// expect-output: 0 1
// expect-output: 0
// expect-output: init 0 0 0 0 0 0
// levels: -O0 -O2
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    printf("other: trylock %d %d %d\n", pthread_mutex_trylock(&recursive) == EBUSY, pthread_mutex_trylock(&checking) == EBUSY,
           pthread_mutex_trylock(&normal) == EBUSY);
    printf("other: unlock %d %d\n", pthread_mutex_unlock(&recursive) == EPERM, pthread_mutex_unlock(&checking) == EPERM);
    return NULL;
}

static void with_other(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    printf("recursive %d", pthread_mutex_lock(&recursive));
    printf(" %d", pthread_mutex_lock(&recursive));
    printf(" %d\n", pthread_mutex_trylock(&recursive));
    printf("checking %d", pthread_mutex_lock(&checking));
    printf(" %d", pthread_mutex_lock(&checking) == EDEADLK);
    printf(" %d\n", pthread_mutex_trylock(&checking) == EBUSY);
    printf("normal %d", pthread_mutex_lock(&normal));
    printf(" %d\n", pthread_mutex_trylock(&normal) == EBUSY);
    with_other();
    for (int i = 0; i < 3; i++) {
        printf("%d ", pthread_mutex_unlock(&recursive));
    }
    printf("%d\n", pthread_mutex_unlock(&recursive) == EPERM);
    printf("%d %d\n", pthread_mutex_unlock(&checking), pthread_mutex_unlock(&checking) == EPERM);
    printf("%d\n", pthread_mutex_unlock(&normal));

    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t made;
    printf("init %d", pthread_mutex_init(&made, &attr));
    printf(" %d %d", pthread_mutex_lock(&made), pthread_mutex_lock(&made));
    printf(" %d %d", pthread_mutex_unlock(&made), pthread_mutex_unlock(&made));
    printf(" %d\n", pthread_mutex_destroy(&made));
    return 0;
}

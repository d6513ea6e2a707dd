// threads.h.
// expect-output: 0 0
// expect-output: 0 0
// expect-output: destroyed 37
// expect-output: 0 0 -42 5
// expect-output: 77
// expect-output: 0 1
// expect-output: 1
// expect-output: 1 0
// expect-output: 0
// expect-output: 1
// levels: -O0 -O2
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex, recursive;
static cnd_t cond;
static tss_t key;
static thread_local int own = 5;
static int ready;

static void destroy(void *value) { printf("destroyed %d\n", *(int *)value); }

static int run(void *argument) {
    static thread_local int value;
    value = *(int *)argument;
    tss_set(key, &value);
    own += value;
    mtx_lock(&mutex);
    ready = 1;
    cnd_signal(&cond);
    mtx_unlock(&mutex);
    return -own;
}

static int leave(void *unused) { thrd_exit(77); }

int main(void) {
    printf("%d %d\n", mtx_init(&mutex, mtx_plain), mtx_init(&recursive, mtx_plain | mtx_recursive));
    printf("%d %d\n", cnd_init(&cond), tss_create(&key, destroy));
    int argument = 37, result;
    thrd_t thread;
    int created = thrd_create(&thread, run, &argument);
    mtx_lock(&mutex);
    while (!ready) {
        cnd_wait(&cond, &mutex);
    }
    mtx_unlock(&mutex);
    int joined = thrd_join(thread, &result);
    printf("%d %d %d %d\n", created, joined, result, own);
    thrd_create(&thread, leave, NULL);
    thrd_join(thread, &result);
    printf("%d\n", result);
    mtx_lock(&recursive);
    printf("%d", mtx_trylock(&recursive));
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    mtx_lock(&mutex);
    printf(" %d\n", mtx_trylock(&mutex) == thrd_busy);
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    printf("%d\n", cnd_timedwait(&cond, &mutex, &until) == thrd_timedout);
    mtx_unlock(&mutex);
    printf("%d %d\n", thrd_equal(thrd_current(), thrd_current()) != 0, thrd_equal(thrd_current(), thread));
    struct timespec pause = {0, 1000};
    printf("%d\n", thrd_sleep(&pause, NULL));
    thrd_yield();
    printf("%d\n", tss_get(key) == NULL);
    cnd_broadcast(&cond);
    cnd_destroy(&cond);
    mtx_destroy(&mutex);
    tss_delete(key);
    return 0;
}

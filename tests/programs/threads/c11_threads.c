// threads.h: threads, mutexes of all types, conditions, once, specific storage.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: turn 0
// expect-output: turn 1
// expect-output: turn 2
// expect-output: -3 -4 50
// expect-output: 1 3 3 1
// expect-output: 0
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static mtx_t lock, nested;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int turn, onces;
static atomic_int ended;
static thread_local int local = 3;

static void initialise(void) { onces++; }
static void at_end(void *p) { atomic_fetch_add(&ended, *(int *)p); }

static int worker(void *p) {
    int which = *(int *)p;
    call_once(&once, initialise);
    tss_set(key, p);
    local += which;
    mtx_lock(&lock);
    while (turn != which) {
        cnd_wait(&changed, &lock);
    }
    printf("turn %d\n", which);
    turn++;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    mtx_lock(&nested);
    mtx_lock(&nested);
    mtx_unlock(&nested);
    mtx_unlock(&nested);
    if (which == 2) {
        thrd_exit(local * 10);
    }
    return -local;
}

int main(void) {
    thrd_t t[3];
    int which[3] = {0, 1, 2};
    mtx_init(&lock, mtx_plain);
    mtx_init(&nested, mtx_plain | mtx_recursive);
    cnd_init(&changed);
    tss_create(&key, at_end);
    for (int i = 2; i >= 0; i--) {
        if (thrd_create(&t[i], worker, &which[i]) != thrd_success) {
            return 9;
        }
    }
    int r[3];
    for (int i = 0; i < 3; i++) {
        thrd_join(t[i], &r[i]);
    }
    printf("%d %d %d\n", r[0], r[1], r[2]);
    printf("%d %d %d %d\n", onces, ended, local, mtx_trylock(&lock) == thrd_success);
    mtx_unlock(&lock);
    mtx_destroy(&lock);
    cnd_destroy(&changed);
    tss_delete(key);
    thrd_yield();
    printf("%d\n", thrd_equal(thrd_current(), t[0]));
    return 0;
}

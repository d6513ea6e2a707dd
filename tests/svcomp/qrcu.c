// Quick read-copy update: a reader announces itself in one of two counters; the writer flips them and waits until nobody is left in the old one. Whoever
// was reading when the writer began has then finished. With -DNO_WAIT the writer does not wait.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DNO_WAIT => Violation reach-error
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

static int idx;                  // the counter for those who come now: ctr1 when 0, ctr2 when 1
static int ctr1 = 1, ctr2;       // one more than its readers, for the one that idx names
static int progress1, progress2; // of the readers: 1 while reading, 2 when done
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void __VERIFIER_atomic_enter1(int mine) {
    __VERIFIER_assume(mine <= 0 && ctr1 > 0);
    ctr1++;
}
static void __VERIFIER_atomic_enter2(int mine) {
    __VERIFIER_assume(mine > 0 && ctr2 > 0);
    ctr2++;
}
static void __VERIFIER_atomic_leave(int mine) {
    if (mine <= 0) {
        ctr1--;
    } else {
        ctr2--;
    }
}
static void __VERIFIER_atomic_flip(void) {
    if (idx <= 0) {
        ctr2++;
        idx = 1;
        ctr1--;
    } else {
        ctr1++;
        idx = 0;
        ctr2--;
    }
}
static void __VERIFIER_atomic_wait(int was) { __VERIFIER_assume(was <= 0 ? ctr1 == 0 : ctr2 == 0); }
static void __VERIFIER_atomic_check(int start, const int* progress) {
    if (start == 1 && *progress == 1) {
        __VERIFIER_error();
    }
}
static int __VERIFIER_atomic_read(const int* x) { return *x; }
static void __VERIFIER_atomic_write(int* x, int value) { *x = value; }

static void* reader(void* arg) {
    int* progress = arg;
    const int mine = __VERIFIER_atomic_read(&idx);
    if (mine <= 0) {
        __VERIFIER_atomic_enter1(mine);
    } else {
        __VERIFIER_atomic_enter2(mine);
    }
    __VERIFIER_atomic_write(progress, 1);
    __VERIFIER_atomic_write(progress, 2);
    __VERIFIER_atomic_leave(mine);
    return 0;
}

static void* writer(void* arg) {
    (void)arg;
    const int start1 = __VERIFIER_atomic_read(&progress1);
    const int start2 = __VERIFIER_atomic_read(&progress2);
    pthread_mutex_lock(&mutex);
    const int was = __VERIFIER_atomic_read(&idx);
    __VERIFIER_atomic_flip();
#ifndef NO_WAIT
    __VERIFIER_atomic_wait(was);
#endif
    (void)was;
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_check(start1, &progress1);
    __VERIFIER_atomic_check(start2, &progress2);
    return 0;
}

int main(void) {
    pthread_t r, s, w;
    pthread_create(&r, 0, reader, &progress1);
    pthread_create(&s, 0, reader, &progress2);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(s, 0);
    pthread_join(w, 0);
    return 0;
}

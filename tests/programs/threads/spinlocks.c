// Home-made locks: atomic_flag with sched_yield, test-and-test-and-set without, a ticket lock, and pthread's own.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 30 30 30 30
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, EACH = 10 };

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int word;
static atomic_uint next_ticket, now_serving;
static pthread_spinlock_t spin;
static int a, b, c, d;

static void *worker(void *unused) {
    for (int i = 0; i < EACH; i++) {
        while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)) {
            sched_yield();
        }
        a++;
        atomic_flag_clear_explicit(&flag, memory_order_release);

        for (;;) {
            while (atomic_load_explicit(&word, memory_order_relaxed)) {
            }
            if (!atomic_exchange_explicit(&word, 1, memory_order_acquire)) {
                break;
            }
        }
        b++;
        atomic_store_explicit(&word, 0, memory_order_release);

        unsigned mine = atomic_fetch_add(&next_ticket, 1);
        while (atomic_load(&now_serving) != mine) {
            sched_yield();
        }
        c++;
        atomic_store(&now_serving, mine + 1);

        pthread_spin_lock(&spin);
        d++;
        pthread_spin_unlock(&spin);
    }
    return unused;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&t[i], NULL, worker, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
    }
    printf("%d %d %d %d\n", a, b, c, d);
    return 0;
}

// Spinlocks.
// expect-output: 20
// expect-output: 0 1
// expect-output: 0
// levels: -O0 -O2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int counter;

static void *run(void *unused) {
    for (int i = 0; i < 10; i++) {
        pthread_spin_lock(&lock);
        counter++;
        pthread_spin_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    printf("%d", pthread_spin_trylock(&lock));
    printf(" %d\n", pthread_spin_trylock(&lock) == EBUSY);
    pthread_spin_unlock(&lock);
    printf("%d\n", pthread_spin_destroy(&lock));
    return 0;
}

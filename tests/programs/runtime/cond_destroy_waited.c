// Destroying a condition variable on which a thread waits.
// expect-exit: 1
// expect-error: pthread_cond_destroy: threads are waiting
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waits;

static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    waits = 1;
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    for (int done = 0; !done;) {
        pthread_mutex_lock(&mutex);
        done = waits;
        pthread_mutex_unlock(&mutex);
    }
    pthread_cond_destroy(&cond);
    return 0;
}

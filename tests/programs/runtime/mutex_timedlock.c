// pthread_mutex_timedlock takes a free mutex, and gives up on one that stays locked.
// expect-output: 0
// expect-output: 1
// expect-output: 1
// expect-output: 0
// levels: -O0 -O2
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    struct timespec past = {0, 0};
    return (void *)(long)(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
}

int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    printf("%d\n", pthread_mutex_timedlock(&mutex, &until));
    pthread_t thread;
    void *timed_out;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, &timed_out);
    printf("%ld\n", (long)timed_out);
    printf("%d\n", pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);
    printf("%d\n", pthread_mutex_unlock(&mutex));
    return 0;
}

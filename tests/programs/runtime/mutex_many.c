// A thread may hold many locks, and release them in any order.
// expect-output: 0
// levels: -O0 -O2
#include <pthread.h>
#include <stdio.h>

enum { LOCKS = 40 };
static pthread_mutex_t locks[LOCKS];

int main(void) {
    for (int i = 0; i < LOCKS; i++) {
        pthread_mutex_init(&locks[i], NULL);
        pthread_mutex_lock(&locks[i]);
    }
    int errors = 0;
    for (int i = 0; i < LOCKS; i++) {
        errors += pthread_mutex_unlock(&locks[i * 7 % LOCKS]);
    }
    for (int i = 0; i < LOCKS; i++) {
        errors += pthread_mutex_destroy(&locks[i]);
    }
    printf("%d\n", errors);
    return 0;
}

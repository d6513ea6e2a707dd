// expect-exit: 1
// expect-error: use-after-free:
// expect-error:   at use_after_free_mutex.c:11:
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, NULL);
    free(m);
    pthread_mutex_lock(m);
    return 0;
}

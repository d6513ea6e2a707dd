// expect-exit: 1
// expect-error: deadlock: thread 0 waits for
// expect-error:   at deadlock_semaphore.c:11:
#include <semaphore.h>

static sem_t s;

int main(void) {
    sem_init(&s, 0, 1);
    sem_wait(&s);
    sem_wait(&s);
    return 0;
}

// levels: -O0 -O2
// expect-output: 1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
    printf("%d\n", pthread_join(pthread_self(), NULL) == EDEADLK);
    return 0;
}

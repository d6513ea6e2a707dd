// A clock that is polled moves on, so loops on time end; every run gives the same values.
// native: no
// expect-output: 1700000000.001000000
// expect-output: 0.002000000
// expect-output: 999 polls
#include <stdio.h>
#include <time.h>

int main(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    printf("%ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
    int polls = 0;
    do {
        clock_gettime(CLOCK_MONOTONIC, &t);
        polls++;
    } while (t.tv_sec < 1 || t.tv_nsec < 1000000);
    printf("%d polls\n", polls);
    return 0;
}

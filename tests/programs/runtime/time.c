// Clocks move forward, sleeping takes its time, and nothing depends on the real time.
// expect-output: nanosleep 0
// expect-output: slept 1
// expect-output: usleep 1
// expect-output: time 1
// expect-output: sleep 0 1
// expect-output: gettimeofday 0 1
// expect-output: timespec_get 1
// expect-output: clock 1 times 1
// expect-output: getres 0
// expect-output: difftime 2
// expect-output: invalid -1 1
// levels: -O0 -O2
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
    long long a = nanoseconds(CLOCK_MONOTONIC);
    struct timespec pause = {0, 20000000};
    printf("nanosleep %d\n", nanosleep(&pause, NULL));
    printf("slept %d\n", nanoseconds(CLOCK_MONOTONIC) - a >= 20000000);
    a = nanoseconds(CLOCK_REALTIME);
    usleep(5000);
    printf("usleep %d\n", nanoseconds(CLOCK_REALTIME) - a >= 5000000);
    time_t now;
    printf("time %d\n", time(&now) == now && now > 1600000000);
    printf("sleep %u %d\n", sleep(1), time(NULL) > now);
    struct timeval tv;
    printf("gettimeofday %d %d\n", gettimeofday(&tv, NULL), tv.tv_sec >= now);
    struct timespec ts;
    printf("timespec_get %d\n", timespec_get(&ts, TIME_UTC) == TIME_UTC);
    struct tms used;
    printf("clock %d times %d\n", clock() != (clock_t)-1, times(&used) != (clock_t)-1);
    printf("getres %d\n", clock_getres(CLOCK_MONOTONIC, &ts));
    printf("difftime %g\n", difftime(5, 3));
    pause.tv_nsec = 2000000000;
    printf("invalid %d %d\n", nanosleep(&pause, NULL), errno == EINVAL);
    return 0;
}

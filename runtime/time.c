// Clocks, sleeping, and what the system says about itself: fixed values. Each thread has a clock of its own that moves on by a
// millisecond whenever it is read, and by the duration of a sleep; a common clock would depend on the interleaving. So loops that
// wait for time to pass do end, and nothing is learnt about other threads from looking at a clock.
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000;
static const int64_t TICK = 1000000;
static const int64_t EPOCH_SECONDS = 1700000000; // what the calendar clocks show at the start

static _Thread_local int64_t elapsed; // nanoseconds

static int64_t read_clock(void) { return elapsed += TICK; }

static bool calendar(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

int clock_gettime(clockid_t clock, struct timespec* now) {
    if (clock < 0 || clock > CLOCK_TAI) {
        return fail_with(EINVAL);
    }
    int64_t t = read_clock();
    now->tv_sec = t / SECOND + (calendar(clock) ? EPOCH_SECONDS : 0);
    now->tv_nsec = t % SECOND;
    return 0;
}

int clock_getres(clockid_t clock, struct timespec* resolution) {
    if (clock < 0 || clock > CLOCK_TAI) {
        return fail_with(EINVAL);
    }
    if (resolution != NULL) {
        *resolution = (struct timespec){0, 1};
    }
    return 0;
}

int timespec_get(struct timespec* now, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
    (void)zone;
    int64_t t = read_clock();
    now->tv_sec = t / SECOND + EPOCH_SECONDS;
    now->tv_usec = t % SECOND / 1000;
    return 0;
}

time_t time(time_t* result) {
    time_t now = read_clock() / SECOND + EPOCH_SECONDS;
    if (result != NULL) {
        *result = now;
    }
    return now;
}

clock_t clock(void) { return read_clock() / 1000; } // CLOCKS_PER_SEC is a million

clock_t times(struct tms* result) {
    clock_t now = read_clock() / (SECOND / 100);
    *result = (struct tms){.tms_utime = now};
    return now;
}

double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }

// Sleeping lets others run; how long means nothing to them.

static void sleep_for(int64_t nanoseconds) {
    elapsed += nanoseconds;
    __heddle_yield();
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* duration, struct timespec* remaining) {
    (void)remaining; // written only when a signal interrupts, and there are none
    if (!valid_time(duration) || duration->tv_sec < 0) {
        return EINVAL;
    }
    int64_t until = duration->tv_sec * SECOND + duration->tv_nsec;
    if ((flags & TIMER_ABSTIME) != 0) {
        until -= elapsed + (calendar(clock) ? EPOCH_SECONDS * SECOND : 0);
    }
    sleep_for(until > 0 ? until : 0);
    return 0;
}

int nanosleep(const struct timespec* duration, struct timespec* remaining) {
    int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, remaining);
    return error == 0 ? 0 : fail_with(error);
}

int usleep(useconds_t microseconds) {
    sleep_for((int64_t)microseconds * 1000);
    return 0;
}

unsigned sleep(unsigned seconds) {
    sleep_for(seconds * SECOND);
    return 0;
}

int sched_yield(void) {
    __heddle_yield();
    return 0;
}

// The system: one process, two processors.

enum { PROCESSORS = 2, PAGE = 4096, PROCESS = 1 };

int sched_getcpu(void) { return 0; }

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t* set) {
    (void)pid;
    (void)size;
    (void)set;
    return 0;
}

int sched_get_priority_max(int policy) { return policy == SCHED_OTHER ? 0 : 99; }
int sched_get_priority_min(int policy) { return policy == SCHED_OTHER ? 0 : 1; }

long sysconf(int name) {
    switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF:
        return PROCESSORS;
    case _SC_PAGESIZE:
        return PAGE;
    case _SC_CLK_TCK:
        return 100;
    default:
        return fail_with(EINVAL);
    }
}

int get_nprocs(void);
int get_nprocs(void) { return PROCESSORS; }
int getpagesize(void) { return PAGE; }
pid_t getpid(void) { return PROCESS; }
pid_t getppid(void) { return 0; }
pid_t gettid(void) { return (pid_t)(__heddle_self() + PROCESS); } // the first thread's id is the process's

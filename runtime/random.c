// Pseudo-random numbers: the generators of glibc, number for number, but with one state for each thread. A common state would
// make the numbers that a thread gets depend on the interleaving, and each call a conflict between threads.
#include "internal.h"

#include <stdlib.h>

// random and rand: an additive feedback generator, x[i] = x[i-3] + x[i-31], of which the lowest bit is dropped.
enum { DEGREE = 31, LAG = 3, WARM_UP = 310 };

static _Thread_local uint32_t history[DEGREE];
static _Thread_local unsigned oldest; // the place of x[i-31], where x[i] goes
static _Thread_local bool seeded;

static uint32_t step(void) {
    uint32_t x = history[oldest] + history[(oldest + DEGREE - LAG) % DEGREE];
    history[oldest] = x;
    oldest = (oldest + 1) % DEGREE;
    return x >> 1;
}

static void seed_random(unsigned seed) {
    // The first values come from a multiplicative generator modulo 2^31 - 1 (Lehmer's, 16807).
    int64_t x = (int32_t)(seed == 0 ? 1 : seed);
    for (unsigned i = 0; i < DEGREE; i++) {
        history[i] = (uint32_t)x;
        x = (int32_t)x * INT64_C(16807) % 2147483647;
        if (x < 0) {
            x += 2147483647;
        }
    }
    oldest = LAG; // as if the first three values had been taken once already
    seeded = true;
    for (int i = 0; i < WARM_UP; i++) {
        step();
    }
}

static uint32_t next_random(void) {
    if (!seeded) {
        seed_random(1);
    }
    return step();
}

long random(void) { return next_random(); }
void srandom(unsigned seed) { seed_random(seed); }
int rand(void) { return (int)next_random(); }
void srand(unsigned seed) { seed_random(seed); }

int rand_r(unsigned* seed) {
    // Three steps of a linear congruential generator, of which the middle bits are joined.
    uint32_t x = *seed;
    uint32_t result = 0;
    static const uint8_t bits[3] = {11, 10, 10};
    for (int i = 0; i < 3; i++) {
        x = x * 1103515245u + 12345u;
        result = (result << bits[i]) ^ ((x >> 16) % (1u << bits[i]));
    }
    *seed = x;
    return (int)result;
}

// The rand48 family: x = x * 0x5deece66d + 11 modulo 2^48.
static const uint64_t MASK48 = (UINT64_C(1) << 48) - 1;
static _Thread_local uint64_t state48;

static uint64_t step48(uint64_t x) { return (x * UINT64_C(0x5deece66d) + 11) & MASK48; }

static uint64_t step_array(unsigned short x[3]) {
    uint64_t next = step48(x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32);
    x[0] = (unsigned short)next;
    x[1] = (unsigned short)(next >> 16);
    x[2] = (unsigned short)(next >> 32);
    return next;
}

static uint64_t step_state(void) { return state48 = step48(state48); }

static double as_fraction(uint64_t x) { return (double)x / 0x1p48; }

void srand48(long seed) { state48 = ((uint64_t)(uint32_t)seed << 16) | 0x330e; }
double drand48(void) { return as_fraction(step_state()); }
double erand48(unsigned short x[3]) { return as_fraction(step_array(x)); }
long lrand48(void) { return (long)(step_state() >> 17); }
long nrand48(unsigned short x[3]) { return (long)(step_array(x) >> 17); }
long mrand48(void) { return (int32_t)(step_state() >> 16); }
long jrand48(unsigned short x[3]) { return (int32_t)(step_array(x) >> 16); }

// The functions of include/heddle/heddle.h.
#define __HEDDLE__ 1
#include "internal.h"

#include "../include/heddle/heddle.h"

void heddle_assume(int condition) { __heddle_assume(condition != 0); }

unsigned heddle_choose(unsigned n) {
    __heddle_assume(n != 0); // there is nothing to choose from
    return n > 1 ? (unsigned)__heddle_choose(n) : 0;
}

void heddle_yield(void) { __heddle_yield(); }
int heddle_nondet_int(void) { return (int)__heddle_nondet(32); }
unsigned heddle_nondet_uint(void) { return (unsigned)__heddle_nondet(32); }
long heddle_nondet_long(void) { return (long)__heddle_nondet(64); }
unsigned long heddle_nondet_ulong(void) { return __heddle_nondet(64); }

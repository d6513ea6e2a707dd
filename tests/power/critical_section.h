// A lock by loads and stores alone, tried by two threads. The program that includes this has lock(me) and unlock(me), me being 0 or 1. Not a program itself.
#pragma once

#include "../zoo/threads.h"
#include "fences.h"

#include <assert.h>
#include <stddef.h>

static void lock(int me);
static void unlock(int me);

static volatile int inside;

static void* work(void* argument) {
    const int me = index_of(argument);
    lock(me);
    store_sync(&inside, me);
    assert(load_sync(&inside) == me);
    unlock(me);
    return NULL;
}

int main(void) {
    in_parallel(2, work);
    return 0;
}

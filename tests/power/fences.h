// What the programs of Table 1 of the POWER paper (Abdulla, Atig, Jonsson, Leonardsson, CAV 2016) share: they access volatile variables and fence by inline assembly, with
// -DFENCES; without it nothing orders their accesses but dependencies. Not a program itself.
#pragma once

#ifdef FENCES
#define SYNC() __asm__ volatile("sync" ::: "memory")
#define LWSYNC() __asm__ volatile("lwsync" ::: "memory")
#else
#define SYNC() ((void)0)
#define LWSYNC() ((void)0)
#endif

/// A store and a load with a full fence after each: what is SC when everything is accessed so.
static inline void store_sync(volatile int* to, int value) {
    *to = value;
    SYNC();
}
static inline int load_sync(volatile int* from) {
    const int value = *from;
    SYNC();
    return value;
}

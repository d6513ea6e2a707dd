#include "held.h"

// Two arrays, because a thread's variables are copied when its state is kept: nearly every program stays within the first, small
// one, and the second does not exist until it is used.
enum { NEAR = 16, FAR = 240 };

struct entry {
    const void* lock;
    unsigned count;
    enum hold hold;
};

static _Thread_local unsigned entries;
static _Thread_local struct entry near_entries[NEAR];
static _Thread_local struct entry far_entries[FAR];

static inline struct entry* entry_at(unsigned i) { return i < NEAR ? &near_entries[i] : &far_entries[i - NEAR]; }

/// The index of the entry, or `entries`. From the newest on: locks are mostly released in reverse order.
static inline unsigned find(const void* lock) {
    for (unsigned i = entries; i > 0; i--) {
        if (entry_at(i - 1)->lock == lock) {
            return i - 1;
        }
    }
    return entries;
}

enum hold held(const void* lock) {
    unsigned i = find(lock);
    return i == entries ? HOLD_NONE : entry_at(i)->hold;
}

void held_add(const void* lock, enum hold hold) {
    if (entries == NEAR + FAR) {
        __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, "a thread holds more than 256 locks at once");
    }
    struct entry* e = entry_at(entries++);
    e->lock = lock;
    e->count = 1;
    e->hold = hold;
}

void held_again(const void* lock) { entry_at(find(lock))->count++; }

bool held_release(const void* lock) {
    unsigned i = find(lock);
    struct entry* e = entry_at(i);
    if (--e->count > 0) {
        return false;
    }
    // The order of the entries means nothing, but keeping it makes the newest lock the first to be looked at.
    for (; i + 1 < entries; i++) {
        *entry_at(i) = *entry_at(i + 1);
    }
    // Nothing of it stays behind: a thread that has given a lock back is where it would be had it taken another.
    *entry_at(--entries) = (struct entry){.lock = NULL};
    return true;
}

// What the files of the runtime library share.
//
// The library is C that the machine interprets. Three rules hold in every file:
//   1. An access to memory that another thread can reach is an action: an event of the memory model and a point where the search
//      branches. So what belongs to one thread is `_Thread_local` and its address is never stored or returned (the front end then proves
//      it private and its accesses cost nothing), and shared state is touched as seldom as the meaning of the function allows.
//   2. Shared state of the library is accessed by atomics or under a lock word: it is never a data race of the program.
//   3. Results depend on the history of the calling thread alone, never on the interleaving, except where the function itself is about
//      other threads. Nothing spins: waiting is a builtin.
#ifndef HEDDLE_RUNTIME_INTERNAL_H
#define HEDDLE_RUNTIME_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include "builtins.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/// Names a function that only the library's own files call, out of the way of the program's names.
#define INTERNAL(name) __asm__("__heddle_rt_" #name)

/// errno of this thread. Runtime code writes it directly: `errno` would go through a pointer.
extern _Thread_local int __heddle_errno;

/// errno-style failure.
static inline int fail_with(int error) {
    __heddle_errno = error;
    return -1;
}

// Waits with a time limit. Nothing is known about how long other threads take, so the limit may pass at any moment, and the
// thread can be held up until any moment before that. Hence such a wait is one attempt, made at whatever moment the schedule
// gives it: an attempt that succeeds is a wait that was satisfied in time, one that fails is a limit that passed. That is
// complete, needs no choice of its own, and cannot be mistaken for a deadlock. The yield only makes success likelier where a
// single schedule is run.
static inline void let_time_pass(void) { __heddle_yield(); }

static inline bool valid_time(const struct timespec* t) { return t->tv_nsec >= 0 && t->tv_nsec < 1000000000; }

/// The length of a string of which at most `limit` bytes are looked at. Here, because a program may have functions of its own
/// under names that are not the C standard's (strnlen), so the library does not call those.
static inline size_t bounded_length(const char* s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n] != '\0') {
        n++;
    }
    return n;
}

/// The bytes of a message that is put together from pieces, cut when it gets too long.
struct message {
    size_t used;
    char text[400];
};

static inline void message_add(struct message* m, const char* piece) {
    while (*piece != '\0' && m->used + 1 < sizeof m->text) {
        m->text[m->used++] = *piece++;
    }
    m->text[m->used] = '\0';
}

#endif

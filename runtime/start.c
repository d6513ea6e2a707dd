// The beginning and the ends of a program: __heddle_start, exit and its relatives, abort, assert, errno.
#include "internal.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local int __heddle_errno;

// Returns the address of a thread's own variable, which would make it shared if this stayed a call; inlined into its callers, as
// the header's macro `errno` uses it, the address goes nowhere.
__attribute__((always_inline)) int* __errno_location(void) { return &__heddle_errno; }

// An empty environment; programs may write to the variable, so it is not a constant.
static char* no_environment[1];
char** environ = no_environment;

char* getenv(const char* name) {
    (void)name;
    return NULL;
}

char* secure_getenv(const char* name) { return getenv(name); }

// From the front end: the arguments of the program, and calls of its constructors and destructors.
extern int __heddle_argc;
extern char* __heddle_argv[];
void __heddle_init_array(void);
void __heddle_fini_array(void);
int main(int argc, char** argv, char** environment);

/// What the main thread runs.
_Noreturn void __heddle_start(void);

_Noreturn void __heddle_start(void) {
    __heddle_init_array();
    exit(main(__heddle_argc, __heddle_argv, no_environment));
}

// Functions to call at the end: two stacks, one of exit and one of quick_exit, under a lock word each.

enum { HANDLERS = 128 };

struct handler {
    void (*call)(void*); ///< a function of no arguments ignores the one it is given
    void* argument;
};

struct handlers {
    int32_t lock;
    uint32_t used;
    struct handler stack[HANDLERS];
};

static struct handlers at_exit, at_quick_exit_;

static int push(struct handlers* h, void (*call)(void*), void* argument) {
    int result = -1;
    __heddle_lock(&h->lock);
    uint32_t used = h->used;
    if (used < HANDLERS) {
        h->stack[used] = (struct handler){call, argument};
        __atomic_store_n(&h->used, used + 1, __ATOMIC_RELAXED);
        result = 0;
    }
    __heddle_unlock(&h->lock);
    return result;
}

/// Calls the handlers, last registered first, and those that they register on the way.
static void run_handlers(struct handlers* h) {
    // Without the lock, for the usual program that has none: only a registration that races with the exit itself could be missed.
    while (__atomic_load_n(&h->used, __ATOMIC_ACQUIRE) != 0) {
        struct handler next = {NULL, NULL};
        __heddle_lock(&h->lock);
        uint32_t used = h->used;
        if (used > 0) {
            next = h->stack[used - 1];
            __atomic_store_n(&h->used, used - 1, __ATOMIC_RELAXED);
        }
        __heddle_unlock(&h->lock);
        if (next.call != NULL) {
            next.call(next.argument);
        }
    }
}

int __cxa_atexit(void (*call)(void*), void* argument, void* dso);

int __cxa_atexit(void (*call)(void*), void* argument, void* dso) {
    (void)dso;
    return push(&at_exit, call, argument);
}

/// Calls a handler of atexit, which takes no argument: its address is the argument here.
static void call_plain(void* function) { ((void (*)(void))function)(); }

int atexit(void (*call)(void)) { return push(&at_exit, call_plain, (void*)call); }
int at_quick_exit(void (*call)(void)) { return push(&at_quick_exit_, call_plain, (void*)call); }

_Noreturn void exit(int status) {
    run_handlers(&at_exit);
    __heddle_fini_array();
    __heddle_exit(status);
}

_Noreturn void quick_exit(int status) {
    run_handlers(&at_quick_exit_);
    __heddle_exit(status);
}

_Noreturn void _Exit(int status) { __heddle_exit(status); }
_Noreturn void _exit(int status) { __heddle_exit(status); }

_Noreturn void abort(void) { __heddle_fail(HEDDLE_TRAP_ABORT, "abort() called"); }
/// What the program's calls of abort are where it is no error.
_Noreturn void quiet_abort(void) INTERNAL(quiet_abort);
_Noreturn void quiet_abort(void) { __heddle_exit(134); }

// The machine adds the place and the function, which it knows from the call.

_Noreturn void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) {
    (void)file;
    (void)line;
    (void)function;
    struct message m = {.used = 0};
    message_add(&m, "assertion `");
    message_add(&m, assertion);
    message_add(&m, "' failed");
    __heddle_fail(HEDDLE_TRAP_ASSERTION, m.text);
}

_Noreturn void __assert(const char* assertion, const char* file, int line) {
    __assert_fail(assertion, file, (unsigned)line, NULL);
}

_Noreturn void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) {
    (void)file;
    (void)line;
    (void)function;
    struct message m = {.used = 0};
    message_add(&m, "unexpected error: ");
    message_add(&m, strerror(error));
    __heddle_fail(HEDDLE_TRAP_ASSERTION, m.text);
}

// Stack protectors and fortified functions end here when they find something; the machine has normally trapped before.
_Noreturn void __stack_chk_fail(void);
_Noreturn void __stack_chk_fail(void) { __heddle_fail(HEDDLE_TRAP_ABORT, "stack smashing detected"); }
_Noreturn void __chk_fail(void);
_Noreturn void __chk_fail(void) { __heddle_fail(HEDDLE_TRAP_ABORT, "buffer overflow detected"); }

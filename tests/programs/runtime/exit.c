// atexit handlers run last to first, also those registered on the way; the status is the program's.
// expect-output: constructor
// expect-output: main
// expect-output: second
// expect-output: late
// expect-output: first
// expect-output: destructor
// expect-exit: 7
// levels: -O0 -O2
#include <stdio.h>
#include <stdlib.h>

static void late(void) { puts("late"); }
static void first(void) { puts("first"); }
static void second(void) {
    puts("second");
    atexit(late);
}

__attribute__((constructor)) static void before(void) { puts("constructor"); }
__attribute__((destructor)) static void after(void) { puts("destructor"); }

int main(void) {
    atexit(first);
    atexit(second);
    puts("main");
    exit(7);
}

// Constructors run before main, destructors and atexit handlers after it, in order.
// levels: -O0 -O2
// expect-exit: 3
// expect-output: first
// expect-output: second
// expect-output: last
// expect-output: main 123
// expect-output: two
// expect-output: one
// expect-output: destructor 124
#include <stdio.h>
#include <stdlib.h>

static int state = 1;

__attribute__((constructor(200))) static void second(void) {
    state = state * 10 + 3;
    puts("second");
}
__attribute__((constructor(150))) static void first(void) {
    state = state * 10 + 2;
    puts("first");
}
__attribute__((constructor)) static void last(void) { puts("last"); }
__attribute__((destructor)) static void at_end(void) { printf("destructor %d\n", state); }

static void handler_one(void) {
    state++;
    puts("one");
}
static void handler_two(void) { puts("two"); }

int main(void) {
    printf("main %d\n", state);
    atexit(handler_one);
    atexit(handler_two);
    return 3;
}

// quick_exit runs only its own handlers.
// expect-output: at_quick_exit
// expect-exit: 9
#include <stdio.h>
#include <stdlib.h>

static void normal(void) { puts("atexit"); }
static void quick(void) {
    puts("at_quick_exit");
    fflush(stdout);
}

int main(void) {
    atexit(normal);
    at_quick_exit(quick);
    quick_exit(9);
}

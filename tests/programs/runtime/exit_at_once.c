// _exit runs no handlers.
// expect-output: main
// expect-exit: 6
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) { puts("handler"); }

int main(void) {
    atexit(handler);
    puts("main");
    fflush(stdout);
    _exit(6);
}

// _Exit calls no handlers.
// expect-exit: 6
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("handler"); }

int main(void) {
    atexit(handler);
    _Exit(6);
}

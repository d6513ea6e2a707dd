// Returning from main is exit.
// expect-output: 1 1 1
// expect-output: handler
// expect-exit: 3
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("handler"); }

int main(int argc, char **argv) {
    atexit(handler);
    printf("%d %d %d\n", argc, argv[0] != NULL, argv[1] == NULL);
    return 3;
}

// expect-exit: 5
// expect-output: before
// expect-error: unsupported:
// expect-error: launch_rocket
// expect-error:   at unsupported_function.c:12:
#include <stdio.h>

extern int launch_rocket(int thrust);

int main(void) {
    puts("before");
    return launch_rocket(3);
}

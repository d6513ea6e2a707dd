// expect-exit: 1
// expect-output: before
// expect-error: abort: abort() called (thread 0, main)
// expect-error:   at abort.c:10:
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    puts("before");
    abort();
}

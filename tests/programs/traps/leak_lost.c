// expect-exit: 1
// expect-output: done
// expect-error: leak: 16 bytes never freed, and nothing points there any more (thread 0, main)
// expect-error:   at leak_lost.c:10:
// expect-error: in make
#include <stdio.h>
#include <stdlib.h>

static long *make(void) {
    return malloc(16);
}

int main(void) {
    long *p = make();
    p[0] = 1;
    p = NULL;
    puts("done");
    return 0;
}

// Only a local variable of a function that has returned pointed there.
// expect-exit: 1
// expect-error: leak: 1 byte never freed
// expect-error:   at leak_returned.c:8:
#include <stdlib.h>

static void f(void) {
    char *p = malloc(1);
    *p = 2;
}

int main(void) {
    f();
    return 0;
}

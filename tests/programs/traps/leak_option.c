// With --no-leaks nothing is said.
// expect-exit: 3
// options: --no-leaks
#include <stdlib.h>

static void lose(void) {
    char *volatile p = malloc(2);
    p[0] = 1;
}

int main(void) {
    lose();
    return 3;
}

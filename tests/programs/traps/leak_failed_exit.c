// A leak counts also when the program ends by exit with another status.
// expect-exit: 1
// expect-error: leak: 2 bytes never freed
#include <stdlib.h>

static void lose(void) {
    char *volatile p = malloc(2);
    p[0] = 1;
}

int main(void) {
    lose();
    exit(3);
}

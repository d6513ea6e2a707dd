// expect-exit: 3
// expect-output: bye
#include <stdio.h>
#include <stdlib.h>

static void deep(int n) {
    if (n == 0) {
        puts("bye");
        exit(3);
    }
    deep(n - 1);
}

int main(void) {
    deep(5);
    return 0;
}

// There are no streams but stdout and stderr to write to.
// expect-exit: 5
// expect-error: output to a stream other than stdout and stderr
#include <stdio.h>

int main(void) {
    fprintf(stdin, "x");
    return 0;
}

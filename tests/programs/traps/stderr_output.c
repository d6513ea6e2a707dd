// What the program writes to stderr comes out on stderr.
// expect-output: out
// expect-error: to stderr
#include <stdio.h>

int main(void) {
    puts("out");
    fprintf(stderr, "to %s\n", "stderr");
    return 0;
}

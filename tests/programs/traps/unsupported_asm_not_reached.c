// What is not executed does not matter.
// expect-output: fine
#include <stdio.h>

static void never(void) { __asm__ volatile("hlt"); }

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 5) {
        never();
    }
    puts("fine");
    return 0;
}

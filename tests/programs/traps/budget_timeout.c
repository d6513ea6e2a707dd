// expect-exit: 4
// options: --timeout 0.5
// expect-output: before
// expect-error: out-of-budget: the time limit has passed
#include <stdio.h>

int main(void) {
    volatile int going = 1;
    puts("before");
    while (going) {
    }
    return 0;
}

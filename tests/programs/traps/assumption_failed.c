// expect-exit: 0
// expect-output: before
// expect-error: an assumption of the program failed at assumption_failed.c:11:
#include <stdio.h>

extern void __VERIFIER_assume(int);

int main(void) {
    volatile int x = 3;
    puts("before");
    __VERIFIER_assume(x == 4);
    puts("after");
    return 7;
}

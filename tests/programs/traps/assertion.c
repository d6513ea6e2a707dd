// expect-exit: 1
// expect-output: before
// expect-error: assertion: assertion `sum == 4' failed (thread 0, main)
// expect-error:   at assertion.c:11:
// expect-error: in check
// expect-error: called from assertion.c:17:
#include <assert.h>
#include <stdio.h>

static void check(int sum) {
    assert(sum == 4);
}

int main(void) {
    puts("before");
    check(4);
    check(5);
    puts("after");
    return 0;
}

// expect-exit: 1
// expect-error: stack-overflow:
// expect-error: stack_overflow_array.c:
#include <string.h>

static int huge(void) {
    char a[10 << 20];
    memset(a, 0, sizeof a);
    return a[12345];
}

int main(void) {
    return huge();
}

// A large local variable, which is not kept in the frame.
// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of its object
// expect-error:   at oob_stack_large.c:9:
// expect-error: the local variable 'big' has 400000 bytes; the access is at offset 400000
#include <string.h>

static int last(int *big, int n) {
    return big[n];
}

int main(void) {
    int big[100000];
    memset(big, 0, sizeof big);
    return last(big, 100000);
}

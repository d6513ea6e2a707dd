// expect-exit: 1
// expect-error: invalid-free: free of a pointer that malloc did not return
// expect-error:   at invalid_free_stack.c:10:
// expect-error: the local variable 'x' has 4 bytes
#include <stdlib.h>

int main(void) {
    int x = 1;
    int *volatile p = &x;
    free(p);
    return 0;
}

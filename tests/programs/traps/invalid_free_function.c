// expect-exit: 1
// expect-error: invalid-free: free of a pointer that malloc did not return
// expect-error:   at invalid_free_function.c:8:
#include <stdlib.h>

int main(void) {
    int (*volatile f)(void) = main;
    free((void *)f);
    return 0;
}

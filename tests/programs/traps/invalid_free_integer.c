// expect-exit: 1
// expect-error: invalid-free: free of a pointer that malloc did not return
// expect-error:   at invalid_free_integer.c:8:
#include <stdlib.h>

int main(void) {
    volatile long number = 123456;
    free((void *)number);
    return 0;
}

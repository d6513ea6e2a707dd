// expect-exit: 1
// expect-error: invalid-free: free of a pointer that malloc did not return
// expect-error:   at invalid_free_global.c:11:
// expect-error: the global variable 'g' has 4 bytes
#include <stdlib.h>

int g;

int main(void) {
    int *volatile p = &g;
    free(p);
    return 0;
}

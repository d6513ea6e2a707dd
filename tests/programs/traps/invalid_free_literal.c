// expect-exit: 1
// expect-error: invalid-free: free of a pointer that malloc did not return
// expect-error:   at invalid_free_literal.c:8:
#include <stdlib.h>

int main(void) {
    char *volatile p = "literal";
    free(p);
    return 0;
}

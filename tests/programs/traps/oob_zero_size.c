// malloc(0) gives an object of no bytes.
// expect-exit: 1
// expect-error: out-of-bounds: write of 1 byte outside the bounds of its object
// expect-error:   at oob_zero_size.c:13:
// expect-error: the heap object has 0 bytes; the access is at offset 0
#include <stdlib.h>

int main(void) {
    char *p = malloc(0);
    if (p == NULL) {
        return 3;
    }
    *p = 1;
    free(p);
    return 0;
}

// A pointer to a small struct used as one to a larger struct.
// expect-exit: 1
// expect-error: out-of-bounds: write of 8 bytes outside the bounds of its object
// expect-error:   at oob_struct_behind.c:19:
// expect-error: the heap object has 8 bytes; the access is at offset 8
#include <stdlib.h>

struct base {
    long tag;
};
struct derived {
    struct base base;
    long more;
};

int main(void) {
    struct base *b = malloc(sizeof *b);
    b->tag = 1;
    ((struct derived *)b)->more = 2;
    free(b);
    return 0;
}

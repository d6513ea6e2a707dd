// The bits of a number used as a pointer.
// expect-exit: 1
// expect-error: wild-pointer: read of 4 bytes through a pointer to nothing
// expect-error:   at wild_pointer_double.c:11:
#include <string.h>

int main(void) {
    double d = 3.25;
    int *p;
    memcpy(&p, &d, sizeof p);
    return *p;
}

// expect-exit: 1
// expect-error: out-of-bounds: write of 9 bytes outside the bounds of its object
// expect-error:   at oob_memcpy_length.c:11:
// expect-error: the local variable 'to' has 8 bytes; the access is at offset 0
#include <string.h>

int main(void) {
    char from[16] = "0123456789";
    char to[8];
    volatile size_t n = 9;
    memcpy(to, from, n);
    return to[0];
}

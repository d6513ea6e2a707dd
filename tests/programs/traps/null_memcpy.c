// expect-exit: 1
// expect-error: null-dereference: write of 8 bytes through a null pointer
// expect-error:   at null_memcpy.c:9:
#include <string.h>

int main(void) {
    char from[8] = "1234567";
    char *volatile to = NULL;
    memcpy(to, from, 8);
    return 0;
}

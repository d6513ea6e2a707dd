// Reported at the user's line, not inside the library.
// expect-exit: 1
// expect-error: out-of-bounds: write of
// expect-error:   at oob_strcpy.c:12:
// expect-error: in main
// expect-error: the local variable 'small' has 4 bytes; the access is at offset 4
#include <string.h>

int main(void) {
    char small[4];
    const char *volatile text = "hello";
    strcpy(small, text);
    return small[0];
}

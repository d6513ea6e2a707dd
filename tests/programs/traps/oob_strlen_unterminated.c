// expect-exit: 1
// expect-error: out-of-bounds: read of 1 byte outside the bounds of its object
// expect-error:   at oob_strlen_unterminated.c:9:
// expect-error: the local variable 'open' has 3 bytes; the access is at offset 3
#include <string.h>

int main(void) {
    char open[3] = {'a', 'b', 'c'};
    return (int)strlen(open);
}

// expect-exit: 1
// expect-error: out-of-bounds: read of 1 byte outside the bounds of its object
// expect-error:   at oob_printf_unterminated.c:8:
#include <stdio.h>

int main(void) {
    char open[3] = {'a', 'b', 'c'};
    printf("%s\n", open);
    return 0;
}

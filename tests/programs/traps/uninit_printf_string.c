// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error:   at uninit_printf_string.c:9:
#include <stdio.h>

int main(void) {
    char text[8];
    text[0] = 'a';
    printf("%s\n", text);
    return 0;
}

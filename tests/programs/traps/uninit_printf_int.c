// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error:   at uninit_printf_int.c:10:
// expect-error: in main
#include <stdio.h>

int main(void) {
    int x;
    int *p = &x;
    printf("%d\n", *p);
    return 0;
}

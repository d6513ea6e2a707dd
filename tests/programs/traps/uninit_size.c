// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
// expect-error:   at uninit_size.c:11:
#include <stdlib.h>
#include <string.h>

int main(void) {
    char a[8] = "", b[8] = "";
    size_t n;
    size_t *p = &n;
    memcpy(a, b, *p);
    return a[0];
}

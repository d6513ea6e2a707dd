// expect-exit: 1
// expect-error: null-dereference: read of 4 bytes through a null pointer (thread 0, main)
// expect-error:   at null_read.c:8:
#include <stddef.h>

int main(void) {
    int *p = NULL;
    return *p;
}

// expect-exit: 1
// expect-error: null-dereference: read of 1 byte through a null pointer
// expect-error:   at null_strlen.c:8:
#include <string.h>

int main(void) {
    const char *volatile s = NULL;
    return (int)strlen(s);
}

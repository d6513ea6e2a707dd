// expect-exit: 5
// expect-error: unsupported:
// expect-error: fopen
// expect-error:   at unsupported_file.c:8:
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/etc/passwd", "r");
    return f == NULL;
}

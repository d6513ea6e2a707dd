// expect-exit: 1
// expect-error: write-to-constant: write of
// expect-error:   at write_literal_library.c:8:
#include <string.h>

int main(void) {
    char *volatile s = "a,b";
    return strtok(s, ",") != NULL;
}

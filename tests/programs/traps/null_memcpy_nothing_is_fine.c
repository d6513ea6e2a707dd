// No byte is touched.
// expect-output: fine
#include <stdio.h>
#include <string.h>

int main(void) {
    char from[8] = "1234567";
    char *volatile to = NULL;
    volatile size_t n = 0;
    memcpy(to, from, n);
    memset(to, 0, n);
    puts("fine");
    return 0;
}

// A program's own functions and variables win over the library's of the same name, and do not disturb it.
// expect-output: [  abc] 4 0
// cflags: -fno-builtin
// levels: -O0 -O2
#include <stdio.h>
#include <stdlib.h>

int index = 3;
int calls;
int held(int x) { return x + 1; }
unsigned long strnlen(const char *s, unsigned long n) {
    calls++;
    return 0;
}

int main(void) {
    printf("[%5s] %d %d\n", "abc", held(index), calls);
    return 0;
}

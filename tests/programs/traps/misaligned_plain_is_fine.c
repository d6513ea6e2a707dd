// Plain accesses may be misaligned: packed structs make them.
// expect-output: 7 123456
#include <stdio.h>

struct __attribute__((packed)) record {
    char tag;
    int number;
    short half;
    long big;
};

int main(void) {
    struct record r = {1, 7, 2, 123456};
    printf("%d %ld\n", r.number, r.big);
    return 0;
}

// Static locals keep their value, are initialised once, differ by function; static and extern linkage.
// levels: -O0 -O1 -O2
// expect-output: 10 2 11 4 12 6 108 9
// expect-output: 21468 9988 22117 3498 16927 4 4
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}

static int other(void) {
    static int n;
    n += 2;
    return n;
}

static int *address(int i) {
    static int slots[3] = {7, 8, 9};
    return &slots[i];
}

static unsigned random_number(void) {
    static unsigned state = 12345;
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

int shared = 3;
extern int shared;
int tentative;
int tentative = 4;

int main(void) {
    for (int i = 0; i < 3; i++) {
        printf("%d %d ", counter(), other());
    }
    *address(1) += 100;
    printf("%d %d\n", *address(1), *address(2));
    for (int i = 0; i < 5; i++) {
        printf("%u ", random_number());
    }
    {
        extern int shared;
        shared++;
    }
    printf("%d %d\n", shared, tentative);
    return 0;
}

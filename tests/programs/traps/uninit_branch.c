// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch (thread 0, main)
// expect-error:   at uninit_branch.c:9:
#include <stdio.h>

int main(void) {
    int flag;
    int *p = &flag;
    if (*p) {
        puts("yes");
    }
    return 0;
}

// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides
#include <stdlib.h>

int main(void) {
    int status;
    int *p = &status;
    return *p;
}

// Sizes that no object can have fail as they do natively.
// expect-output: 1 1
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile size_t huge = SIZE_MAX / 2;
    void *p = calloc(huge, 4);
    printf("%d %d\n", p == NULL, errno == ENOMEM);
    return 0;
}

// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides which function is called
// expect-error:   at uninit_call.c:8:
#include <stdlib.h>

int main(void) {
    int (**table)(void) = malloc(2 * sizeof *table);
    int v = table[1]();
    free(table);
    return v;
}

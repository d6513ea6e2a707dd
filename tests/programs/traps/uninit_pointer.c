// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides an address
// expect-error:   at uninit_pointer.c:14:
#include <stdlib.h>

struct node {
    struct node *next;
    int *value;
};

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    *n->value = 1;
    free(n);
    return 0;
}

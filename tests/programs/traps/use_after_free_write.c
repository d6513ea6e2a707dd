// expect-exit: 1
// expect-error: use-after-free: write of 8 bytes of memory that was freed
// expect-error:   at use_after_free_write.c:17:
// expect-error: the heap object has 16 bytes; the access is at offset 8
// expect-error: freed at use_after_free_write.c:16:
#include <stdlib.h>

struct node {
    struct node *next;
    long value;
};

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    free(n);
    n->value = 1;
    return 0;
}

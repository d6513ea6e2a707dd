// The classic: walking a list while freeing it.
// expect-exit: 1
// expect-error: use-after-free: read of 8 bytes of memory that was freed
// expect-error:   at use_after_free_list.c:19:
// expect-error: freed at use_after_free_list.c:20:
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next) {
        free(n);
    }
    return 0;
}

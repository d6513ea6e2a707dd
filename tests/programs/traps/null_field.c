// expect-exit: 1
// expect-error: null-dereference: read of 4 bytes through a null pointer (plus 16)
// expect-error:   at null_field.c:14:
// expect-error: called from null_field.c:18:
#include <stddef.h>

struct node {
    struct node *next;
    long key;
    int value;
};

static int value(const struct node *n) {
    return n->value;
}

int main(void) {
    return value(NULL);
}

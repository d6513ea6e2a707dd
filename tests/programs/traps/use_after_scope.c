// A pointer to a variable of an inner block, used after the block: the variable is undefined again.
// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at use_after_scope.c:14:
int main(void) {
    int *p;
    {
        int inner = 3;
        p = &inner;
        if (*p != 3) {
            return 9;
        }
    }
    if (*p == 3) {
        return 8;
    }
    return 7;
}

// A variable of a loop's body does not keep its value from one round to the next.
// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_loop_scope.c:13:
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++) {
        int seen;
        int *p = &seen;
        if (i == 0) {
            *p = 1;
        }
        if (*p) {
            n++;
        }
    }
    return n;
}

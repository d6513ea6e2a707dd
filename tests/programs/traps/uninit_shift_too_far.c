// The result of a shift by more than the width is no value at all.
// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_shift_too_far.c:8:
int main(void) {
    volatile int by = 40;
    int v = 1 << by;
    if (v == 256) {
        return 2;
    }
    return 3;
}

// expect-exit: 1
// cflags: -Wno-return-type
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_missing_return.c:13:
static int sign(int v) {
    if (v > 0) {
        return 1;
    }
}

int main(void) {
    volatile int v = -3;
    if (sign(v) == 1) {
        return 2;
    }
    return 3;
}

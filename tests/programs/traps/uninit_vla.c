// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_vla.c:7:
static int run(int n) {
    int row[n];
    row[0] = 1;
    if (row[n - 1]) {
        return 4;
    }
    return 5;
}

int main(void) {
    return run(3);
}

// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_vla.c:7:
static int run(int n) {
    int row[n];
    row[0] = 1;
    return row[n - 1] ? 4 : 5;
}

int main(void) {
    return run(3);
}

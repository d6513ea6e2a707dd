// expect-exit: 1
// expect-error: use-after-return:
// expect-error:   at use_after_return_vla.c:14:
static int *kept;

static void make(int n) {
    int row[n];
    row[0] = 1;
    kept = row;
}

int main(void) {
    make(4);
    return kept[0];
}

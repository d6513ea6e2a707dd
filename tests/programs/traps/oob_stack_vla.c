// expect-exit: 1
// expect-error: out-of-bounds: write of 2 bytes outside the bounds of its object
// expect-error:   at oob_stack_vla.c:8:
// expect-error: the local variable 'row' has 10 bytes; the access is at offset 10
static int run(int n) {
    short row[n];
    for (int i = 0; i <= n; i++) {
        row[i] = (short)i;
    }
    return row[0];
}

int main(void) {
    return run(5);
}

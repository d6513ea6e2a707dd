// expect-exit: 1
// expect-error: out-of-bounds: write of 4 bytes outside the bounds of its object
// expect-error:   at oob_stack_write_past.c:7:
// expect-error: the local variable 'table' has 16 bytes; the access is at offset 16
static void fill(int *a, int n) {
    for (int i = 0; i <= n; i++) {
        a[i] = i;
    }
}

int main(void) {
    int table[4];
    fill(table, 4);
    return table[0];
}

// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of its object
// expect-error:   at oob_global_read_before.c:12:
// expect-error: the global variable 'table' has 12 bytes; the access is at offset -4
// expect-error: declared at oob_global_read_before.c:6
static int table[3] = {1, 2, 3};

int main(void) {
    int sum = 0;
    table[0] = 5;
    for (int i = 2; i >= -1; i--) {
        sum += table[i];
    }
    return sum;
}

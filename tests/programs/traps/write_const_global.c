// expect-exit: 1
// expect-error: write-to-constant: write of 4 bytes to constant memory
// expect-error:   at write_const_global.c:9:
// expect-error: 'limit' has 4 bytes
// expect-error: declared at write_const_global.c:6
static const int limit = 5;

static void set(int *p) {
    *p = 6;
}

int main(void) {
    set((int *)&limit);
    return limit;
}

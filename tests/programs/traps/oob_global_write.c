// expect-exit: 1
// expect-error: out-of-bounds: write of 1 byte outside the bounds of its object
// expect-error:   at oob_global_write.c:10:
// expect-error: the global variable 'name' has 4 bytes; the access is at offset 4
// expect-error: declared at oob_global_write.c:6
char name[4];

int main(void) {
    for (int i = 0; i < 5; i++) {
        name[i] = 'x';
    }
    return 0;
}

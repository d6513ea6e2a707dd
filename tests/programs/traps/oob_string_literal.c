// expect-exit: 1
// expect-error: out-of-bounds: read of 1 byte outside the bounds of a constant
// expect-error:   at oob_string_literal.c:9:
// expect-error: has 4 bytes; the access is at offset 4
int main(void) {
    const char *s = "abc";
    int n = 0;
    for (int i = 0; i < 5; i++) {
        n += s[i];
    }
    return n;
}

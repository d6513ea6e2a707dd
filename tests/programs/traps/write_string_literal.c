// expect-exit: 1
// expect-error: write-to-constant: write of 1 byte to constant memory
// expect-error:   at write_string_literal.c:6:
int main(void) {
    char *s = "text";
    s[0] = 'T';
    return 0;
}

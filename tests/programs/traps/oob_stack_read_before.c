// expect-exit: 1
// expect-error: out-of-bounds: read of 1 byte outside the bounds of its object
// expect-error:   at oob_stack_read_before.c:8:
// expect-error: the local variable 'text' has 8 bytes; the access is at offset -1
int main(void) {
    char text[8] = "abc";
    int i = 0;
    while (text[i] != 'z') {
        i--;
    }
    return 0;
}

// Clang's own checks, in their trapping form.
// expect-exit: 1
// cflags: -fsanitize=undefined -fsanitize-trap=all
// expect-error: abort:
// expect-error:   at undefined_sanitizer.c:9:
int main(void) {
    volatile int by = 33;
    volatile int x = 1;
    x = x << by;
    return 0;
}

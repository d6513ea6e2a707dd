// A warning is shown and the program runs.
// expect-exit: 4
// expect-error: warnings_are_shown.c:7:
// expect-error: warning:
// cflags: -Wall
int main(void) {
    int unused = 3;
    return 4;
}

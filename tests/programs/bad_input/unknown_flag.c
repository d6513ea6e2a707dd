// expect-exit: 2
// cflags: --no-such-flag
// expect-error: --no-such-flag
int main(void) { return 0; }

// A main that nobody outside its file can see is no main.
// expect-exit: 2
// expect-error: main
// cflags: -Wno-main
static int main(void) { return 0; }

// expect-exit: 2
// expect-error: main
// cflags: -Wno-main
int main = 5;

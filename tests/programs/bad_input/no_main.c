// expect-exit: 2
// expect-error: main
int helper(int v) { return v + 1; }

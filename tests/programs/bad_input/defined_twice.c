// expect-exit: 2
// files: parts/twice.c
// expect-error: twice
int twice(int v) { return v * 2; }

int main(void) { return twice(2); }

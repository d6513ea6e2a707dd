// expect-exit: 2
// input: parts/nothing.c
// expect-error: main

// A file that is not C at all.
// expect-exit: 2
// input: parts/poem.c
// expect-error: poem.c:1:
// expect-error: error:

// expect-exit: 2
// input: parts/invalid.ll
// expect-error: invalid.ll:2:
// expect-error: error:

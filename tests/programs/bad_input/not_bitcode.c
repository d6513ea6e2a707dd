// expect-exit: 2
// input: parts/not_bitcode.bc
// expect-error: not_bitcode.bc:

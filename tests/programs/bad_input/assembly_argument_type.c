// A call with other arguments than the function has.
// input: parts/mismatch.ll
// expect-exit: 5
// expect-error: unsupported: call of 'f' with 1 arguments; it takes 2

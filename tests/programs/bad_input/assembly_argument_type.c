// A call with other arguments than the function has.
// input: parts/mismatch.ll
// expect-exit: 1
// expect-error: bad-call

// expect-exit: 2
// input: parts
// expect-error: parts is a directory

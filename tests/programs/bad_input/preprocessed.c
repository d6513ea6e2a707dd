// A preprocessed file.
// input: parts/preprocessed.i
// expect-exit: 6

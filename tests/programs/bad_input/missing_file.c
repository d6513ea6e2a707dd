// expect-exit: 2
// input: no_such_file.c
// expect-error: no_such_file.c: no such file

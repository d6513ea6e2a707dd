// expect-exit: 2
// input: parts/notes.txt
// expect-error: notes.txt: unknown kind of file; expected .c, .i, .ll or .bc

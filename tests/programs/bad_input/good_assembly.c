// LLVM assembly is as good as C.
// expect-exit: 7
// input: parts/good.ll

// expect-exit: 5
// input: parts/program.cpp
// expect-error: C++ programs are not supported yet, only C

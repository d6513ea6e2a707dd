// Shown as clang shows it.
// expect-exit: 2
// expect-error: compile_error.c:7:12: error: use of undeclared identifier 'undeclared'
// expect-error:     return undeclared + 1;
// expect-error:            ^
int main(void) {
    return undeclared + 1;
}

// An undefined external variable.
// expect-exit: 5
// expect-error: unsupported
// expect-error: missing_variable
extern int missing_variable;

int main(void) {
    return missing_variable;
}

// __VERIFIER_error.
// expect-exit: 1
// expect-error: __VERIFIER_error() reached
extern void __VERIFIER_error(void);

int main(void) { __VERIFIER_error(); }

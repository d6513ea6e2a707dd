// expect-exit: 1
// expect-error: reach-error: __VERIFIER_error() reached
// expect-error:   at verifier_error.c:7:
extern void __VERIFIER_error(void);

int main(void) {
    __VERIFIER_error();
    return 0;
}

// expect-exit: 1
// expect-error: lock-misuse: the end of an atomic section that was not begun
// expect-error:   at lock_misuse_atomic_end.c:10:
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_end();
    return 0;
}

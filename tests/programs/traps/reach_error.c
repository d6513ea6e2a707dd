// expect-exit: 1
// expect-error: reach-error: reach_error() reached
// expect-error:   at reach_error.c:9:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int() == 0) {
        reach_error();
    }
    return 0;
}

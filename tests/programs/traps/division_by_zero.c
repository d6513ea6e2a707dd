// expect-exit: 1
// expect-error: division-by-zero: division by zero (thread 0, main)
// expect-error:   at division_by_zero.c:6:
// expect-error: called from division_by_zero.c:10:
static int divide(int a, int b) {
    return a / b;
}

int main(void) {
    return divide(5, 0);
}

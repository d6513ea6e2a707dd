// expect-exit: 1
// expect-error: division-by-zero: division by zero
// expect-error:   at remainder_by_zero.c:6:
int main(void) {
    volatile unsigned long n = 0;
    return (int)(12ul % n);
}

// expect-exit: 1
// expect-error: division-by-zero: division by zero
// expect-error:   at division_by_zero_small.c:6:
int main(void) {
    volatile unsigned char a = 9, b = 0;
    a /= b;
    return a;
}

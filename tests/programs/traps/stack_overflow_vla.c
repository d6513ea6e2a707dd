// expect-exit: 1
// expect-error: stack-overflow: a local variable of 1000000000 bytes overflows the stack of 8388608 bytes
// expect-error:   at stack_overflow_vla.c:5:
static int huge(long n) {
    char a[n];
    a[0] = 1;
    return a[0];
}

int main(void) {
    return huge(1000000000);
}

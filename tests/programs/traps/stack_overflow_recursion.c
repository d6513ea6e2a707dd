// expect-exit: 1
// expect-error: stack-overflow: the call of down overflows the stack of 8388608 bytes
// expect-error:   at stack_overflow_recursion.c:7:
// expect-error: in down
// expect-error: called from more functions, not shown
static int down(int n) {
    return down(n + 1) + 1;
}

int main(void) {
    return down(0);
}

// expect-exit: 1
// expect-error: stack-overflow: the call of
// expect-error: stack_overflow_mutual.c:
static int odd(unsigned n);

static int even(unsigned n) {
    volatile char pad[100];
    pad[0] = 1;
    return odd(n + 1) + pad[0];
}

static int odd(unsigned n) {
    return even(n + 1) + 1;
}

int main(void) {
    return even(0);
}

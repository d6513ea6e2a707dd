// expect-exit: 1
// expect-error: bad-call: call through a pointer that is not a function's (0x123456789)
// expect-error:   at bad_call_integer.c:6:
int main(void) {
    volatile unsigned long number = 0x123456789;
    return ((int (*)(void))number)();
}

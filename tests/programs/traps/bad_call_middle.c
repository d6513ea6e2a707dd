// expect-exit: 1
// expect-error: bad-call: call through a pointer that is not a function's
// expect-error:   at bad_call_middle.c:8:
static int f(void) { return 1; }

int main(void) {
    volatile unsigned long number = (unsigned long)f + 5;
    return ((int (*)(void))number)();
}

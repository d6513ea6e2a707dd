// expect-exit: 1
// expect-error: bad-call: call of two through a pointer to a function of another type
// expect-error:   at bad_call_type.c:8:
static int two(int a, int b) { return a + b; }

int main(void) {
    int (*volatile f)(int) = (int (*)(int))two;
    return f(1);
}
